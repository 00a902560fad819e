/** Loudness of received sound, measured in this page. Headers of packets must not name it, since they are in the clear. */

/** About 40 ms. */
const SAMPLES = 2048

/** `level`: 0 to 1. */
export type LoudnessMeter = { readonly level: number; close(): void }

/** Measures the tracks of one call. Chromium hears only tracks that an element of the page plays. */
export class Loudness {
  #context: AudioContext | null = null

  meter(track: MediaStreamTrack): LoudnessMeter {
    if (typeof AudioContext === "undefined") return { level: 0, close: () => undefined }
    const context = (this.#context ??= new AudioContext({ latencyHint: "playback" }))
    // A context that began before the first click stands still.
    if (context.state === "suspended") void context.resume().catch(() => undefined)
    const source = context.createMediaStreamSource(new MediaStream([track]))
    const analyser = new AnalyserNode(context, { fftSize: SAMPLES })
    source.connect(analyser)
    const samples = new Float32Array(SAMPLES)
    return {
      get level() {
        analyser.getFloatTimeDomainData(samples)
        return levelOf(samples)
      },
      close: () => source.disconnect(),
    }
  }

  close(): void {
    void this.#context?.close().catch(() => undefined)
    this.#context = null
  }
}

/** Root mean square of samples between -1 and 1. */
export function levelOf(samples: Float32Array): number {
  const sum = samples.reduce((total, sample) => total + sample * sample, 0)
  return Math.min(1, Math.sqrt(sum / samples.length))
}
