import { equalBytes } from "@noble/curves/utils.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { type Frame, frameDigest } from "../wire/frame.ts"
import { CHAIN_BYTES, type GroupMessage, type OrderEntry } from "../wire/messages.ts"
import { heldBytesMax } from "./window.ts"

/** Frames of one sender that may lie beyond a gap or be unstable. More are refused, and repair retransmits them. */
export const FRAMES_PER_SENDER_MAX = 4096

export type GroupFrame = Frame & { readonly kind: "data" | "agreement"; readonly message: GroupMessage }

const receivedHash = sha256.create().update(utf8ToBytes("keymoot v1 received\0"))

type SenderFrames = {
  readonly frames: Map<number, GroupFrame>
  /** Number of frames dropped from the front, because every member holds them. */
  stable: number
  /** Bytes of all frames held. */
  bytes: number
  /** Over the digests of the frames received without a gap. */
  readonly chain: HashChain
}

/** The held frames of one view, per sender, and the count received without a gap. */
export class FrameStore {
  /** Per sender: frames received without a gap. */
  readonly received: number[]
  /** Sparse: in a large view most members have sent nothing. */
  readonly #senders: (SenderFrames | undefined)[]
  /** Per sender: `CHAIN_BYTES` of its chain. Replaced, not changed, after it was shown. */
  #chains: Uint8Array
  #chainsShown = false
  #snapshot: readonly number[] | null = null

  constructor(memberCount: number) {
    this.received = Array.from({ length: memberCount }, () => 0)
    this.#senders = this.received.map(() => undefined)
    this.#chains = new Uint8Array(memberCount * CHAIN_BYTES)
  }

  /** `received` as an immutable copy. */
  get snapshot(): readonly number[] {
    this.#snapshot ??= [...this.received]
    return this.#snapshot
  }

  /** Per sender: hash chain over the frames received of it. Immutable. */
  get chains(): Uint8Array {
    this.#chainsShown = true
    return this.#chains
  }

  /**
   * The senders of which a member with these counts holds other frames under the same numbers. In a large conference
   * each member compares with each other several times a second.
   */
  differing(received: readonly number[], chains: Uint8Array): number[] {
    const differing: number[] = []
    for (let sender = 0; sender < received.length; sender++) {
      const at = sender * CHAIN_BYTES
      const isEven = received[sender] === this.received[sender]
      const known = isEven ? this.#chains : this.#senders[sender]?.chain.at(received[sender]!)
      if (known && !isSameChain(known, isEven ? at : 0, chains, at)) differing.push(sender)
    }
    return differing
  }

  /**
   * Digest over the first so many frames of each sender. Null if some have not come, or if every member is past them.
   */
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

  /** The frame that an ORDER entry names, including its digest. */
  named({ sender, sequence, digest }: OrderEntry): GroupFrame | undefined {
    const frame = this.frame(sender, sequence)
    return frame && equalBytes(digest, frameDigest(frame)) ? frame : undefined
  }

  /** Frames of a sender that are held because they are unstable or not delivered here. */
  held(sender: number): { readonly frames: number; readonly bytes: number } {
    const { stable, bytes } = this.#senders[sender] ?? { stable: 0, bytes: 0 }
    return { frames: this.received[sender]! - stable, bytes }
  }

  /**
   * Returns false for a frame that is known or exceeds a bound. `inCut`: the frame completes a cut, whose holders may
   * be one bound further than this member.
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
    if (this.#chainsShown) this.#chains = this.#chains.slice()
    this.#chainsShown = false
    this.#chains.set(held.chain.shown, sender * CHAIN_BYTES)
    return true
  }

  /** Replaces a held frame by another one, if that has the given digest. */
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

function isSameChain(a: Uint8Array, inA: number, b: Uint8Array, inB: number): boolean {
  for (let i = 0; i < CHAIN_BYTES; i++) if (a[inA + i] !== b[inB + i]) return false
  return true
}

/**
 * A hash over a growing sequence. Two members that received different items under one number have different hashes from
 * then on. The member with the longer sequence detects it by comparing the hash that the other shows.
 */
export class HashChain {
  /** By length, from `#first` on: the lengths that some member may still have. */
  readonly #hashes: Uint8Array[] = [new Uint8Array(32)]
  #first = 0

  append(digest: Uint8Array): void {
    this.#hashes.push(sha256(concatBytes(this.#hashes.at(-1)!, digest)))
  }

  /** Undefined beyond the received length, and where every member is past it. */
  at(length: number): Uint8Array | undefined {
    return this.#hashes[length - this.#first]
  }

  /** Hash over all received items. */
  get shown(): Uint8Array {
    return this.#hashes.at(-1)!.subarray(0, CHAIN_BYTES)
  }

  /** True if the hash of a member at `length` differs from the one here. False if the one here is unknown. */
  differsFrom(length: number, shown: Uint8Array): boolean {
    const known = this.at(length)
    return known !== undefined && !equalBytes(known.subarray(0, CHAIN_BYTES), shown)
  }

  /** Every member has reached `length`. */
  dropBelow(length: number): void {
    const drop = length - this.#first
    if (drop <= 0) return
    this.#hashes.splice(0, drop)
    this.#first = length
  }
}
