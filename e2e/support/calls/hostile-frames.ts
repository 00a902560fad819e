import { changeTransformers, type EncodedFrame, tellWorker } from "./changed-worker.ts"
import { frameCounts } from "./frame-counts.ts"
import type { Person } from "../person.ts"

/**
 * Frames that a hostile media worker sends: every second one of its microphone is another one.
 * `replayed`: an earlier one. `camera`: one of its camera. `foreign`: one of another member. `unencrypted`: as the encoder
 * gave it. `withheld`: one that it seals now and sends when the receiver's replay window has passed. `huge`: the
 * microphone is honest, and some frames of the camera are sealed with more than the bound.
 */
export type Attack =
  | "none"
  | "replayed"
  | "camera"
  | "foreign"
  | "altered"
  | "malformed"
  | "unknown-key"
  | "unencrypted"
  | "withheld"
  | "huge"

/** Makes a member's media worker attack as the returned function says. Call it before the page's first visit. */
export async function sendHostileFrames(person: Person): Promise<(attack: Attack) => Promise<void>> {
  // Its own worker would refuse to seal a frame beyond the bound of 2 MiB.
  const unbounded = (code: string): string => code.replaceAll("2097152", "1e9")
  await changeTransformers(
    person,
    ({ readable, writable, options }) => {
      type Frame = EncodedFrame & { readonly isSpent?: true }
      type Shared = { attack: Attack; sealed: number; honest: Record<string, number> } & Partial<
        Record<Attack, ArrayBuffer>
      >
      const HUGE_BYTES = 2 * 1024 * 1024 + 64
      const HUGE_EVERY = 100
      const SPENT = 32
      const WITHHELD_MAX = 40
      /** The receiver's window, and what has been sealed since the last frame that it has. */
      const WINDOW = 8192 + 1000
      const begin = (): Shared => {
        const fresh: Shared = { attack: "none", sealed: 0, honest: {} }
        const honest = new BroadcastChannel("honest")
        honest.addEventListener("message", () => honest.postMessage(fresh.honest))
        new BroadcastChannel("attack").addEventListener("message", ({ data }) => (fresh.attack = data as Attack))
        return fresh
      }
      const scope = globalThis as unknown as { shared?: Shared }
      const shared = (scope.shared ??= begin())
      const through = (change: (frame: Frame) => readonly Frame[]): TransformStream<Frame, Frame> =>
        new TransformStream({
          transform(frame, controller) {
            for (const each of change(frame)) controller.enqueue(each)
          },
        })
      const keep = (name: Attack, { data }: Frame): void => void (shared[name] = data.slice(0))
      const isSound = options.source === "microphone"
      let frames = 0
      if (options.direction === "receive") {
        const tapped = through((frame) => (keep("foreign", frame), [frame]))
        return { options, writable, readable: readable.pipeThrough(tapped) }
      }
      const toCipher = through((frame) => {
        if (isSound) keep("unencrypted", frame)
        else if (shared.attack === "huge" && frames++ % HUGE_EVERY === 0) {
          const grown = new Uint8Array(HUGE_BYTES)
          grown.set(new Uint8Array(frame.data))
          frame.data = grown.buffer
        }
        if (!isSound || shared.attack !== "withheld") return [frame]
        // Their counters move the receiver's window on, although nobody gets them.
        return [frame, ...Array.from({ length: SPENT }, (): Frame => ({ data: new ArrayBuffer(1), isSpent: true }))]
      })
      const withheld: { readonly data: ArrayBuffer; readonly at: number }[] = []
      // A frame that was encrypted for somebody else would be new to this receiver, so each connection has its own.
      let sent = new ArrayBuffer(0)
      const hostile = (frame: Frame): readonly Frame[] => {
        const own = frame.data.slice(0)
        const altered = new Uint8Array(own.slice(0))
        altered[altered.length - 1]! ^= 1
        const become = (data: ArrayBuffer): readonly Frame[] => ((frame.data = data.slice(0)), [frame])
        switch (shared.attack) {
          case "replayed":
            return become(sent)
          case "altered":
            return become(altered.buffer)
          case "malformed":
            // A header that promises more bytes than there are.
            return become(Uint8Array.of(0xff).buffer)
          case "unknown-key":
            // A key id of two bytes, and the counter 0. No view of a test comes to epoch 255.
            return become(Uint8Array.of(0x90, 0xff, 0x00, ...altered).buffer)
          case "withheld":
            if (withheld[0] && shared.sealed - withheld[0].at > WINDOW) return become(withheld.shift()!.data)
            if (withheld.length === WITHHELD_MAX) return [frame]
            withheld.push({ data: own, at: shared.sealed })
            return []
          default:
            return become(shared[shared.attack] ?? own)
        }
      }
      const fromCipher = through((frame) => {
        shared.sealed++
        if (frame.isSpent) return []
        if (options.source === "camera") keep("camera", frame)
        if (!isSound) return [frame]
        const own = new Uint8Array(frame.data.slice(0))
        const [out] = frames++ % 2 === 1 ? hostile(frame) : [frame]
        if (!out) return []
        const data = new Uint8Array(out.data)
        const isHonest = data.length === own.length && own.every((byte, at) => data[at] === byte)
        const { member } = options.peer
        if (isHonest) shared.honest[member] = (shared.honest[member] ?? 0) + 1
        if (isHonest) sent = own.buffer
        return [out]
      })
      void fromCipher.readable.pipeTo(writable)
      return { options, readable: readable.pipeThrough(toCipher), writable: fromCipher.writable }
    },
    unbounded,
  )
  return (attack) => tellWorker(person, "attack", attack)
}

/** Frames of somebody's microphone that its hostile media worker has sent as it should, by receiver. */
export function honestFrames({ page }: Person): Promise<Readonly<Record<string, number>>> {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        const channel = new BroadcastChannel("honest")
        channel.addEventListener("message", ({ data }) => {
          channel.close()
          resolve(data as Record<string, number>)
        })
        channel.postMessage("ask")
      }),
  )
}

export type Received = { readonly passed: number; readonly refused: Readonly<Record<string, number>> }

/** Frames of a source that somebody's media worker has opened, and those that it has refused, by reason. */
export async function receivedFrom(person: Person, source: string): Promise<Received> {
  const refused: Record<string, number> = {}
  const all = (await frameCounts(person)).filter((each) => each.direction === "receive" && each.source === source)
  for (const [reason, count] of all.flatMap(({ dropped }) => Object.entries(dropped)))
    refused[reason] = (refused[reason] ?? 0) + count
  return { passed: all.reduce((sum, { passed }) => sum + passed, 0), refused }
}
