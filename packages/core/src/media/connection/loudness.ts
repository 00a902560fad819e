/**
 * Loudness of received sound, measured in this page, and who speaks by it. Headers of packets must not name it, since
 * they are in the clear.
 */
import type { MemberId } from "@keymoot/transport"

/** About 40 ms. */
const SAMPLES = 2048

/** `level`: 0 to 1. */
export type LoudnessMeter = { readonly level: number; close(): void }

/** Measures the tracks of one call. Chromium hears only tracks that an element of the page plays. */
export class Loudness {
  #context: AudioContext | null = null

  /** A browser that cannot measure, as without an audio output, gets a meter that stays at 0. */
  meter(track: MediaStreamTrack): LoudnessMeter {
    try {
      return this.#measure(track)
    } catch {
      return { level: 0, close: () => undefined }
    }
  }

  close(): void {
    void this.#context?.close().catch(() => undefined)
    this.#context = null
  }

  #measure(track: MediaStreamTrack): LoudnessMeter {
    const context = (this.#context ??= new AudioContext({ latencyHint: "playback" }))
    const resume = (): void => void context.resume().catch(() => undefined)
    if (context.state === "suspended") resume()
    const source = context.createMediaStreamSource(new MediaStream([track]))
    const analyser = new AnalyserNode(context, { fftSize: SAMPLES })
    source.connect(analyser)
    const samples = new Float32Array(SAMPLES)
    return {
      get level() {
        // A context that began before the first press stands still until it is resumed after one.
        if (context.state === "suspended" && navigator.userActivation.hasBeenActive) resume()
        analyser.getFloatTimeDomainData(samples)
        return levelOf(samples)
      },
      close: () => source.disconnect(),
    }
  }
}

/** Root mean square of samples between -1 and 1. */
export function levelOf(samples: Float32Array): number {
  const sum = samples.reduce((total, sample) => total + sample * sample, 0)
  return Math.min(1, Math.sqrt(sum / samples.length))
}

const LOUD_LEVEL = 0.02
/** Somebody speaks for so long after a loud moment. Pauses between words are shorter. */
const SPEAKING_MS = 1000

/** Finds who speaks, by the loudness of the microphones. */
export class Speakers {
  readonly #loudAtMs = new Map<MemberId, number>()
  /** As of the last step. Otherwise somebody could stop between two steps, and go on, unnoticed. */
  #speaking: ReadonlySet<MemberId> = new Set()

  /** Takes the present loudness of all other members in the call, 0 to 1. Returns whether others speak than before. */
  step(levels: ReadonlyMap<MemberId, number>, nowMs: number): boolean {
    for (const member of this.#loudAtMs.keys()) if (!levels.has(member)) this.#loudAtMs.delete(member)
    for (const [member, level] of levels) if (level > LOUD_LEVEL) this.#loudAtMs.set(member, nowMs)
    const before = this.#speaking
    const recent = [...this.#loudAtMs].filter(([, atMs]) => nowMs - atMs < SPEAKING_MS)
    this.#speaking = new Set(recent.map(([member]) => member))
    return before.size !== this.#speaking.size || [...before].some((member) => !this.isSpeaking(member))
  }

  isSpeaking(member: MemberId): boolean {
    return this.#speaking.has(member)
  }
}
