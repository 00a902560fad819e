import { equalBytes } from "@noble/curves/utils.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import type { Frame } from "../wire/frame.ts"
import { frameDigest } from "../wire/frame.ts"
import type { GroupMessage, OrderEntry } from "../wire/messages.ts"
import { HashChain, NO_CHAIN } from "./hash-chain.ts"
import { heldBytesMax } from "./window.ts"

/** Frames of one sender that may lie beyond a gap or be unstable; more are refused and come again by repair. */
export const FRAMES_PER_SENDER_MAX = 4096

export type GroupFrame = Frame & { readonly kind: "data" | "agreement"; readonly message: GroupMessage }

const receivedHash = sha256.create().update(utf8ToBytes("keymoot v1 received\0"))

type SenderFrames = {
  readonly frames: Map<number, GroupFrame>
  /** Dropped from the front, because every member holds them. */
  stable: number
  /** Of all frames held. */
  bytes: number
  /** Over the digests of the frames that have come without a gap. */
  readonly chain: HashChain
}

/** The frames of one view that are held, per sender, and how far they have come without a gap. */
export class FrameStore {
  /** Per sender: frames received without a gap. */
  readonly received: number[]
  /** Of those who have sent something: in a large view most have not. */
  readonly #senders: (SenderFrames | undefined)[]
  #chains: readonly Uint8Array[] | null = null
  #snapshot: readonly number[] | null = null

  constructor(memberCount: number) {
    this.received = Array.from({ length: memberCount }, () => 0)
    this.#senders = this.received.map(() => undefined)
  }

  /** `received` as it is now, and stays. */
  get snapshot(): readonly number[] {
    this.#snapshot ??= [...this.received]
    return this.#snapshot
  }

  /** Per sender: hash chain over what was received of it. */
  get chains(): readonly Uint8Array[] {
    this.#chains ??= this.#senders.map((held) => held?.chain.shown ?? NO_CHAIN)
    return this.#chains
  }

  /** Of which senders somebody who has received these holds other frames under the same numbers. */
  differing(received: readonly number[], chains: readonly Uint8Array[]): number[] {
    return this.#senders.flatMap((held, sender) =>
      held?.chain.differsFrom(received[sender]!, chains[sender]!) ? [sender] : [],
    )
  }

  /** Over the first so many frames of each sender; null where they have not all come, or everybody is past them. */
  digestOf(counts: readonly number[]): Uint8Array | null {
    const hash = receivedHash.clone()
    for (let sender = 0; sender < counts.length; sender++) {
      const count = counts[sender]!
      if (count === 0) continue
      const chain = this.#senders[sender]?.chain.at(count)
      if (!chain) return null
      hash.update(chain)
    }
    return hash.digest()
  }

  frame(sender: number, sequence: number): GroupFrame | undefined {
    return this.#senders[sender]?.frames.get(sequence)
  }

  /** The frame that an entry of the ORDER names, digest and all. */
  named({ sender, sequence, digest }: OrderEntry): GroupFrame | undefined {
    const frame = this.frame(sender, sequence)
    return frame && equalBytes(digest, frameDigest(frame)) ? frame : undefined
  }

  /** What is held of a sender, because not every member has acknowledged it or it is not delivered here. */
  held(sender: number): { readonly frames: number; readonly bytes: number } {
    const { stable, bytes } = this.#senders[sender] ?? { stable: 0, bytes: 0 }
    return { frames: this.received[sender]! - stable, bytes }
  }

  /**
   * False for what is known already or over a bound. `inCut`: the frame completes a cut, and its holders may be one bound
   * further than this member.
   */
  add(sender: number, frame: GroupFrame, inCut: boolean): boolean {
    const received = this.received[sender]
    if (received === undefined || frame.sequence <= received) return false
    const held = (this.#senders[sender] ??= { frames: new Map(), stable: 0, bytes: 0, chain: new HashChain() })
    const bounds = inCut ? 2 : 1
    const ahead = frame.sequence - held.stable
    if (held.frames.has(frame.sequence) || ahead > bounds * FRAMES_PER_SENDER_MAX) return false
    const bytesMax = bounds * heldBytesMax(this.received.length) * (frame.sequence === received + 1 ? 2 : 1)
    if (held.bytes + frame.bytes.length > bytesMax) return false
    held.frames.set(frame.sequence, frame)
    held.bytes += frame.bytes.length
    let contiguous = received
    for (let next = held.frames.get(contiguous + 1); next; next = held.frames.get(contiguous + 1)) {
      held.chain.append(frameDigest(next))
      contiguous++
    }
    if (contiguous === received) return true
    this.received[sender] = contiguous
    this.#snapshot = null
    this.#chains = null
    return true
  }

  /** Takes another frame for one that is held, if it is the one with that digest. */
  replace(sender: number, frame: GroupFrame, digest: Uint8Array): boolean {
    const held = this.#senders[sender]
    if (!held) return false
    const former = held.frames.get(frame.sequence)
    if (!former || !equalBytes(digest, frameDigest(frame))) return false
    held.bytes += frame.bytes.length - former.bytes.length
    held.frames.set(frame.sequence, frame)
    return true
  }

  drop(sender: number, upTo: number): void {
    const held = this.#senders[sender]
    if (!held || upTo <= held.stable) return
    held.chain.dropBelow(upTo)
    while (held.stable < upTo) {
      const sequence = ++held.stable
      held.bytes -= held.frames.get(sequence)!.bytes.length
      held.frames.delete(sequence)
    }
  }
}
