import { encodeDirect, type MemberId, type Mesh } from "@keymoot/transport"
import type { Clock } from "../platform/surroundings.ts"
import type { KnownFiles } from "./known-files.ts"
import { CostMeter, type Budget } from "../queues/cost-meter.ts"
import { BLOCK_CHUNKS, chunkCount, listCount } from "./layout.ts"
import { encodeFileMessage, type FileMessage, type Refusal } from "./messages.ts"
import { CongestionWindow } from "./congestion-window.ts"

/**
 * Bound on waiting requests of one member. Excess ones are dropped, and requested again after a timeout. Honest members
 * have fewer.
 */
export const REQUESTS_MAX = 32

/**
 * Rate limit of blocks that are read for one member, and whose chunks it does not take. Each chunk that is sent gives
 * its part back. Excess requests are dropped. An interrupted fetch leaves a part of one block.
 */
export const UNSENT_BLOCKS_PER_SECOND = 1
export const UNSENT_BLOCKS_BURST = 16
const UNSENT_BLOCKS: Budget = { perSecond: UNSENT_BLOCKS_PER_SECOND, burst: UNSENT_BLOCKS_BURST }

/** A file that this member can serve. */
export type FileSource = {
  readonly sizeBytes: number
  /** Returns a piece of the list of hashes. */
  hashes(index: number): Uint8Array
  /** Returns the sealed chunks of a block in order. Rejects if they are no longer readable. */
  block(block: number): Promise<readonly Uint8Array[]>
}

export type FileLinks = Pick<Mesh, "send" | "bufferedBytes" | "halfCongested">

/** Returns false if the queue to this member is full. */
export function sendFileMessage(mesh: FileLinks, to: MemberId, message: FileMessage): boolean {
  return mesh.send(to, encodeDirect(encodeFileMessage(message)), { payload: true })
}

export type ServingConfig = {
  readonly files: Pick<KnownFiles, "find" | "block">
  readonly mesh: FileLinks
  readonly clock: Clock
}

type Want = FileMessage & { readonly kind: "want" }
type Requester = {
  readonly wants: Want[]
  readonly window: CongestionWindow
  /** Resumes after an acknowledgement, or when the member is gone. */
  wake: (() => void) | null
  gone: boolean
}

/** Serves pieces of this member's files: to each member in sequence, within its link's window. */
export class Serving {
  readonly #config: ServingConfig
  readonly #requesters = new Map<MemberId, Requester>()
  readonly #unsent = new CostMeter<MemberId>(UNSENT_BLOCKS)

  constructor(config: ServingConfig) {
    this.#config = config
  }

  tick(nowMs: number): void {
    this.#unsent.tick(nowMs)
  }

  want(from: MemberId, want: Want): void {
    const requester = this.#requesters.get(from) ?? {
      wants: [],
      window: new CongestionWindow(),
      wake: null,
      gone: false,
    }
    if (requester.wants.length >= REQUESTS_MAX) return
    requester.wants.push(want)
    if (this.#requesters.has(from)) return
    this.#requesters.set(from, requester)
    // A failed request ends the serving of this member. It asks again, here or elsewhere.
    void this.#serve(from, requester).catch(() => this.forget(from))
  }

  stop(from: MemberId, file: string): void {
    const requester = this.#requesters.get(from)
    if (!requester) return
    requester.wants.splice(0, Infinity, ...requester.wants.filter((want) => want.file !== file))
    requester.wake?.()
  }

  acknowledged(by: MemberId): void {
    const requester = this.#requesters.get(by)
    if (!requester) return
    requester.window.acknowledged(this.#config.mesh.bufferedBytes(by), this.#config.clock.now())
    requester.wake?.()
  }

  /** Drops the requests of a member without a link or outside the view. It will ask again. */
  forget(member: MemberId): void {
    const requester = this.#requesters.get(member)
    if (!requester) return
    this.#requesters.delete(member)
    requester.gone = true
    requester.wake?.()
  }

  close(): void {
    for (const member of this.#requesters.keys()) this.forget(member)
  }

  async #serve(to: MemberId, requester: Requester): Promise<void> {
    for (let want = requester.wants[0]; want && !requester.gone; want = requester.wants[0]) {
      await this.#serveOne(to, requester, want)
      // Unless the request was stopped and removed meanwhile.
      if (requester.wants[0] === want) requester.wants.shift()
    }
    // Drops the window too, so the next request measures anew. A member keeps its window while it is served, because it
    // requests ahead.
    if (this.#requesters.get(to) === requester) this.#requesters.delete(to)
  }

  async #serveOne(to: MemberId, requester: Requester, want: Want): Promise<void> {
    const { file, part, from, count } = want
    const source = await this.#config.files.find(file)
    const pieces = source ? (part === "hashes" ? listCount : chunkCount)(source.sizeBytes) : 0
    if (!source || from + count > pieces) return this.#refuse(to, file, "gone")
    let block: readonly Uint8Array[] = []
    for (let index = from; index < from + count; index++) {
      if (part === "data" && (index === from || index % BLOCK_CHUNKS === 0)) {
        if (this.#unsent.isOver(to)) return
        this.#unsent.spend(to, 1)
        const read = await this.#config.files.block(file, Math.floor(index / BLOCK_CHUNKS))
        if (!read) return this.#refuse(to, file, "unreadable")
        block = read
      }
      const bytes = part === "hashes" ? source.hashes(index) : block[index % BLOCK_CHUNKS]!
      if (!(await this.#sendPiece(to, requester, want, { kind: "piece", file, part, index, bytes }))) return
      if (part === "data") this.#unsent.spend(to, -1 / block.length)
    }
  }

  /** Returns false if the rest is no longer wanted. */
  async #sendPiece(to: MemberId, requester: Requester, want: Want, piece: FileMessage): Promise<boolean> {
    const { mesh, clock } = this.#config
    while (!requester.gone && requester.wants[0] === want) {
      // Half of the window is for other messages, which a full link would delay until the file's end.
      const mayPass = !mesh.halfCongested(to) && requester.window.maySend(mesh.bufferedBytes(to))
      if (mayPass && sendFileMessage(mesh, to, piece)) {
        requester.window.sent(mesh.bufferedBytes(to), clock.now())
        return true
      }
      await new Promise<void>((wake) => (requester.wake = wake))
      requester.wake = null
    }
    return false
  }

  #refuse(to: MemberId, file: string, reason: Refusal): void {
    sendFileMessage(this.#config.mesh, to, { kind: "refusal", file, reason })
  }
}
