import type { MemberId } from "../../ids.ts"
import type { LinkState, LinkStates, Version } from "./link-states.ts"

export type FloodingMessage<R> =
  /** First over a new link: what this end knows, so that the other sends only what is newer. */
  | { readonly kind: "versions"; readonly versions: readonly Version[] }
  | { readonly kind: "records"; readonly records: readonly R[] }

export type FloodingOutput<R> = { readonly to: MemberId; readonly message: FloodingMessage<R> }

/** Hands every new record on to every neighbour but the one it came from; of one origin only the newest waits. */
export class Flooding<R extends LinkState> {
  readonly #states: LinkStates<R>
  /** Per neighbour: whose records it is to be told. */
  readonly #pending = new Map<MemberId, Set<MemberId>>()

  constructor(states: LinkStates<R>) {
    this.#states = states
  }

  linkUp(peer: MemberId): FloodingOutput<R> {
    this.#pending.set(peer, new Set())
    return { to: peer, message: { kind: "versions", versions: this.#states.versions() } }
  }

  linkDown(peer: MemberId): void {
    this.#pending.delete(peer)
  }

  /** A record of one's own. */
  tell(record: R): void {
    this.#take(record, null)
  }

  /** Records that were new here. */
  receive(from: MemberId, message: FloodingMessage<R>): readonly R[] {
    if (message.kind === "records") return message.records.filter((record) => this.#take(record, from))
    const pending = this.#pending.get(from)
    for (const { origin } of this.#states.newerThan(message.versions)) pending?.add(origin)
    return []
  }

  /** Everything that waits, one message for each neighbour. */
  flush(): FloodingOutput<R>[] {
    const outputs: FloodingOutput<R>[] = []
    for (const [to, origins] of this.#pending) {
      if (origins.size === 0) continue
      const records = [...origins].flatMap((origin) => this.#states.get(origin) ?? [])
      origins.clear()
      outputs.push({ to, message: { kind: "records", records } })
    }
    return outputs
  }

  #take(record: R, from: MemberId | null): boolean {
    if (!this.#states.take(record)) {
      // Who has told it need not be told, though another was quicker.
      const known = this.#states.get(record.origin)
      if (from && known?.sequence === record.sequence) this.#pending.get(from)?.delete(record.origin)
      return false
    }
    for (const [peer, origins] of this.#pending) {
      if (peer === from) origins.delete(record.origin)
      else origins.add(record.origin)
    }
    return true
  }
}
