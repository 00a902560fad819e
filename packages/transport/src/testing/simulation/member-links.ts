import type { MemberId } from "../../members/ids.ts"
import type { Frame } from "../../wire/frame.ts"
import type { Acknowledgement, Heartbeat } from "../../wire/messages.ts"
import type { Network, NetworkListener } from "./network.ts"

/** A message between simulated members. It is already decoded, as nothing between them changes a byte. */
export type WireMessage =
  | { readonly type: "heartbeat"; readonly heartbeat: Heartbeat }
  | { readonly type: "acknowledgement"; readonly acknowledgement: Acknowledgement }
  | { readonly type: "frame"; readonly frame: Frame; readonly syncs: readonly Frame[] }

/** Events of a simulated member's links. */
export type LinkEvents<M = WireMessage> = {
  linkUp(peer: MemberId, incarnation: number, distant: boolean): void
  linkDown(peer: MemberId): void
  receive(from: MemberId, message: M): void
}

/** Connects a simulated member with the others. */
export interface MemberLinks<M = WireMessage> {
  start(): void
  /** To members other than itself. */
  transmit(to: readonly MemberId[], message: M, unreliable: boolean): void
  stop(): void
}

/** Maps between names and ids. */
export type Names = {
  nameOf(id: MemberId): string
  idOf(name: string): MemberId
  incarnationOf(name: string): number
}

/** A link with every other member. */
export class MeshLinks<M> implements MemberLinks<M> {
  readonly #network: Network
  readonly #name: string
  readonly #names: Names
  readonly #listener: NetworkListener

  constructor(network: Network, name: string, names: Names, events: LinkEvents<M>) {
    this.#network = network
    this.#name = name
    this.#names = names
    this.#listener = {
      linkUp: (peer) => events.linkUp(names.idOf(peer), names.incarnationOf(peer), false),
      linkDown: (peer) => events.linkDown(names.idOf(peer)),
      receive: (from, message) => events.receive(names.idOf(from), message as M),
    }
  }

  start(): void {
    this.#network.attach(this.#name, this.#listener)
  }

  transmit(to: readonly MemberId[], message: M, unreliable: boolean): void {
    for (const peer of to) {
      const name = this.#names.nameOf(peer)
      if (unreliable) this.#network.sendUnreliable(this.#name, name, message)
      else this.#network.send(this.#name, name, message)
    }
  }

  stop(): void {
    this.#network.detach(this.#name, this.#listener)
  }
}
