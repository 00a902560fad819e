import type { MemberId } from "../../ids.ts"
import type { LinkState, LinkStates, Version } from "./link-states.ts"

export type FloodingMessage<R> =
  /** First over a new link: what this end knows, so that the other sends only what is newer. */
  | { readonly kind: "versions"; readonly versions: readonly Version[] }
  | { readonly kind: "records"; readonly records: readonly R[] }

export type FloodingOutput<R> = { readonly to: MemberId; readonly message: FloodingMessage<R> }

/** `knowers`: neighbours who have told it. */
type Fresh<R> = { readonly record: R; readonly knowers: MemberId[] }

/** Hands every new record on to every neighbour but those who have told it; of one origin only the newest waits. */
export class Flooding<R extends LinkState> {
  readonly #states: LinkStates<R>
  /** New here since the last flush, by origin. One list for all neighbours: of many members nearly all of it is for each of them. */
  readonly #fresh = new Map<MemberId, Fresh<R>>()
  /** Per neighbour: whose records it lacks by what it has said itself. */
  readonly #lacking = new Map<MemberId, Set<MemberId>>()

  constructor(states: LinkStates<R>) {
    this.#states = states
  }

  linkUp(peer: MemberId): FloodingOutput<R> {
    this.#lacking.set(peer, new Set())
    return { to: peer, message: { kind: "versions", versions: this.#states.versions() } }
  }

  linkDown(peer: MemberId): void {
    this.#lacking.delete(peer)
  }

  /** A record of one's own. */
  tell(record: R): void {
    this.#take(record, null)
  }

  /** Records that were new here. */
  receive(from: MemberId, message: FloodingMessage<R>): readonly R[] {
    if (message.kind === "records") return message.records.filter((record) => this.#take(record, from))
    const lacking = this.#lacking.get(from)
    for (const { origin } of this.#states.newerThan(message.versions)) lacking?.add(origin)
    return []
  }

  /** Everything that waits, one message for each neighbour. */
  flush(): FloodingOutput<R>[] {
    const outputs: FloodingOutput<R>[] = []
    const fresh = [...this.#fresh.values()]
    for (const [to, lacking] of this.#lacking) {
      const records = fresh.filter(({ knowers }) => !knowers.includes(to)).map(({ record }) => record)
      for (const origin of lacking) if (!this.#fresh.has(origin)) records.push(...this.#recordOf(origin))
      lacking.clear()
      if (records.length > 0) outputs.push({ to, message: { kind: "records", records } })
    }
    this.#fresh.clear()
    return outputs
  }

  #recordOf(origin: MemberId): R[] {
    const record = this.#states.get(origin)
    return record ? [record] : []
  }

  #take(record: R, from: MemberId | null): boolean {
    const { origin } = record
    const news = this.#states.take(record)
    if (news === "new") this.#fresh.set(origin, { record, knowers: from ? [from] : [] })
    else if (news === "known" && from) this.#noteKnower(origin, from)
    return news === "new"
  }

  /** Who has told it need not be told, though another was quicker. */
  #noteKnower(origin: MemberId, from: MemberId): void {
    this.#lacking.get(from)?.delete(origin)
    const knowers = this.#fresh.get(origin)?.knowers
    if (knowers && !knowers.includes(from)) knowers.push(from)
  }
}
