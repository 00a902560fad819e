import type { MemberId } from "../ids.ts"
import type { Frame } from "../wire/frame.ts"
import type { Acknowledgement, Heartbeat } from "../wire/messages.ts"
import type { Network, NetworkListener } from "./network.ts"

/** What one simulated member says to another: decoded already, as nothing between them changes a byte. */
export type WireMessage =
  | { readonly type: "heartbeat"; readonly heartbeat: Heartbeat }
  | { readonly type: "acknowledgement"; readonly acknowledgement: Acknowledgement }
  | { readonly type: "frame"; readonly frame: Frame; readonly syncs: readonly Frame[] }

/** What a simulated member hears of the others. */
export type LinkEvents = {
  linkUp(peer: MemberId, incarnation: number, distant: boolean): void
  linkDown(peer: MemberId): void
  receive(from: MemberId, message: WireMessage): void
}

/** How a simulated member is joined with the others. */
export interface MemberLinks {
  start(): void
  /** To others than itself. */
  transmit(to: readonly MemberId[], message: WireMessage, unreliable: boolean): void
  stop(): void
}

/** Who is called what. */
export type Names = {
  nameOf(id: MemberId): string
  idOf(name: string): MemberId
  incarnationOf(name: string): number
}

/** A link with everybody. */
export class MeshLinks implements MemberLinks {
  readonly #network: Network
  readonly #name: string
  readonly #names: Names
  readonly #listener: NetworkListener

  constructor(network: Network, name: string, names: Names, events: LinkEvents) {
    this.#network = network
    this.#name = name
    this.#names = names
    this.#listener = {
      linkUp: (peer) => events.linkUp(names.idOf(peer), names.incarnationOf(peer), false),
      linkDown: (peer) => events.linkDown(names.idOf(peer)),
      receive: (from, message) => events.receive(names.idOf(from), message as WireMessage),
    }
  }

  start(): void {
    this.#network.attach(this.#name, this.#listener)
  }

  transmit(to: readonly MemberId[], message: WireMessage, unreliable: boolean): void {
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
