import type { MemberId } from "@keymoot/transport"
import { BLOCK_CHUNKS, chunkCount, listCount } from "./layout.ts"
import type { FileMessage, Refusal } from "./messages.ts"
import { Pace } from "./pace.ts"

/** Requests of one member that wait; further ones are dropped, and asked again in time. An honest one has fewer. */
export const REQUESTS_MAX = 32

/** A file that this member can hand out. */
export type FileSource = {
  readonly sizeBytes: number
  /** A piece of the list of hashes. */
  hashes(index: number): Uint8Array
  /** The sealed chunks of a block, in order. Rejects if they cannot be read any more. */
  block(block: number): Promise<readonly Uint8Array[]>
}

export type ServingConfig = {
  readonly find: (file: string) => Promise<FileSource | null>
  /** False if it was turned away: too much is waiting for this member. */
  readonly send: (to: MemberId, message: FileMessage) => boolean
  /** Bytes sent and not acknowledged. */
  readonly bufferedBytes: (to: MemberId) => number
  /** What is said to this member needs the link now: a file that filled it would keep all words back until its end. */
  readonly holdBack: (to: MemberId) => boolean
  readonly now: () => number
}

type Want = FileMessage & { readonly kind: "want" }
type Customer = {
  readonly wants: Want[]
  readonly pace: Pace
  /** Continues once something has been acknowledged, or the member is gone. */
  wake: (() => void) | null
  gone: boolean
}

/** Hands out pieces of what this member has: to each member one after another, no more at a time than its link takes. */
export class Serving {
  readonly #config: ServingConfig
  readonly #customers = new Map<MemberId, Customer>()

  constructor(config: ServingConfig) {
    this.#config = config
  }

  want(from: MemberId, want: Want): void {
    const customer = this.#customers.get(from) ?? { wants: [], pace: new Pace(), wake: null, gone: false }
    if (customer.wants.length >= REQUESTS_MAX) return
    customer.wants.push(want)
    if (this.#customers.has(from)) return
    this.#customers.set(from, customer)
    void this.#serve(from, customer)
  }

  stop(from: MemberId, file: string): void {
    const customer = this.#customers.get(from)
    if (!customer) return
    customer.wants.splice(0, Infinity, ...customer.wants.filter((want) => want.file !== file))
    customer.wake?.()
  }

  acknowledged(by: MemberId): void {
    const customer = this.#customers.get(by)
    if (!customer) return
    customer.pace.acknowledged(this.#config.bufferedBytes(by), this.#config.now())
    customer.wake?.()
  }

  /** No link to this member, or it is no member of the view: what it wanted is forgotten. It will ask again. */
  forget(member: MemberId): void {
    const customer = this.#customers.get(member)
    if (!customer) return
    this.#customers.delete(member)
    customer.gone = true
    customer.wake?.()
  }

  close(): void {
    for (const member of this.#customers.keys()) this.forget(member)
  }

  async #serve(to: MemberId, customer: Customer): Promise<void> {
    for (let want = customer.wants[0]; want && !customer.gone; want = customer.wants[0]) {
      await this.#serveOne(to, customer, want)
      // Unless it was stopped meanwhile, and is not there any more.
      if (customer.wants[0] === want) customer.wants.shift()
    }
    // With its pace: the next request measures anew. A member that is served keeps it, since it asks ahead.
    if (this.#customers.get(to) === customer) this.#customers.delete(to)
  }

  async #serveOne(to: MemberId, customer: Customer, want: Want): Promise<void> {
    const { file, part, from, count } = want
    const source = await this.#config.find(file)
    const pieces = source ? (part === "hashes" ? listCount : chunkCount)(source.sizeBytes) : 0
    if (!source || from + count > pieces) return this.#refuse(to, file, "gone")
    let block: readonly Uint8Array[] = []
    let blockNumber = -1
    for (let index = from; index < from + count; index++) {
      if (part === "data" && Math.floor(index / BLOCK_CHUNKS) !== blockNumber) {
        blockNumber = Math.floor(index / BLOCK_CHUNKS)
        const read = await source.block(blockNumber).catch(() => null)
        if (!read) return this.#refuse(to, file, "unreadable")
        block = read
      }
      const bytes = part === "hashes" ? source.hashes(index) : block[index % BLOCK_CHUNKS]!
      if (!(await this.#sendPiece(to, customer, want, { kind: "piece", file, part, index, bytes }))) return
    }
  }

  /** False if the rest is not wanted any more. */
  async #sendPiece(to: MemberId, customer: Customer, want: Want, piece: FileMessage): Promise<boolean> {
    const { send, bufferedBytes, holdBack, now } = this.#config
    while (!customer.gone && customer.wants[0] === want) {
      if (!holdBack(to) && customer.pace.maySend(bufferedBytes(to)) && send(to, piece)) {
        customer.pace.sent(bufferedBytes(to), now())
        return true
      }
      await new Promise<void>((wake) => (customer.wake = wake))
      customer.wake = null
    }
    return false
  }

  #refuse(to: MemberId, file: string, reason: Refusal): void {
    this.#config.send(to, { kind: "refusal", file, reason })
  }
}
