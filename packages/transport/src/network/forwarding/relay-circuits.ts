import type { Lane, LinkNumber, PeerCommand } from "../../port/port.ts"
import type { MemberId } from "../../members/ids.ts"
import { CIRCUITS_MAX, RELAY_FORWARD_BYTES_HIGH } from "../../bounds/network-bounds.ts"
import { decodeOrNull, safeInteger } from "../shared/coders.ts"
import type { Connections } from "../link/connections.ts"
import type { RelayFrame } from "../messages/control.ts"
import type { MeshBase } from "../base/mesh-base.ts"

export type CircuitOffer = {
  readonly origin: MemberId
  readonly incarnation: number
  readonly attempt: number
  /** The relaying members, in order from this end. */
  readonly route: readonly MemberId[]
}

type Circuit = {
  readonly link: LinkNumber
  readonly peer: MemberId
  readonly attempt: number
  readonly route: readonly MemberId[]
  connected: boolean
}

/** Marks a "close" frame of a relaying member, as opposed to one of the other end. */
const BY_RELAY = Uint8Array.of(1)

/**
 * Links through other members, hop by hop over their direct links. A relaying member keeps no state: the route is in
 * every frame. It checks only that the frame came from the previous hop of the route. It can neither read nor forge
 * anything, since the two ends have an association of their own.
 */
export class RelayCircuits {
  readonly #base: MeshBase
  readonly #self: MemberId
  readonly #connections: Connections
  readonly #circuits = new Map<LinkNumber, Circuit>()

  constructor(base: MeshBase, connections: Connections) {
    this.#base = base
    this.#self = base.mesh.signer.member
    this.#connections = connections
  }

  /** Opens a circuit as the initiator. */
  open(link: LinkNumber, peer: MemberId, attempt: number, route: readonly MemberId[]): void {
    const circuit = this.#add({ link, peer, attempt, route, connected: false })
    if (circuit) this.#send(circuit, "open", safeInteger.encode(this.#base.mesh.incarnation))
  }

  /** Opens a circuit as the responder. */
  accept(link: LinkNumber, { origin: peer, attempt, route }: CircuitOffer): void {
    const circuit = this.#add({ link, peer, attempt, route, connected: true })
    if (!circuit) return
    this.#send(circuit, "open", new Uint8Array(8))
    this.#connected(circuit)
  }

  /** Handles the commands of a connection over a circuit, in the place of its host. */
  handle(command: PeerCommand): void {
    const circuit = this.#circuits.get(command.link)
    if (!circuit) return
    if (command.type === "peer-close") {
      this.#circuits.delete(circuit.link)
      this.#send(circuit, "close", new Uint8Array(0))
    } else if (command.type === "peer-send") {
      const part = command.lane === "reliable" ? "frame" : "unreliable"
      for (const frame of command.frames) this.#send(circuit, part, frame)
    }
  }

  /**
   * `from` is the neighbour on whose direct connection the frame came. Returns the request of another member for a
   * circuit: answer it with `accept`, or refuse it by doing nothing.
   */
  receive(from: MemberId, relay: RelayFrame): CircuitOffer | null {
    const { route, origin, target, hopsLeft } = relay
    const self = this.#self
    const path = [origin, ...route, target]
    const place = path.indexOf(self)
    const fits = place > 0 && path[place - 1] === from && hopsLeft === path.length - 1 - place
    // A route contains each member once. Otherwise a frame could travel in a circle.
    if (!fits || new Set(path).size !== path.length) return this.#drop("relay: not on its route")
    if (target === self) return this.#arrive(relay)
    this.#forward(path[place + 1]!, from, relay)
    return null
  }

  /** Ends the circuits whose route is gone. */
  endWhere(isGone: (circuit: { readonly peer: MemberId; readonly route: readonly MemberId[] }) => boolean): void {
    for (const circuit of this.#circuits.values()) {
      if (isGone(circuit)) this.#end(circuit, "the relaying member has lost its link", false)
    }
  }

  #arrive({ origin, attempt, part, bytes, route }: RelayFrame): CircuitOffer | null {
    const own = route.toReversed()
    // Any neighbour can name an origin and an attempt. Only those on the route may speak for a circuit or end it.
    const circuit = [...this.#circuits.values()].find(
      (each) => each.peer === origin && each.attempt === attempt && each.route.join() === own.join(),
    )
    if (part === "open" && !circuit) {
      const incarnation = decodeOrNull(safeInteger, bytes)
      return incarnation === null ? this.#drop("relay: malformed") : { origin, incarnation, attempt, route: own }
    }
    if (!circuit) return this.#drop("relay: of no circuit")
    if (part === "open") this.#connected(circuit)
    else if (part === "close") this.#end(circuit, "closed by the other side", bytes.length === 0)
    else {
      const lane: Lane = part === "frame" ? "reliable" : "unreliable"
      this.#connections.handlePeer({ type: "peer-frames", link: circuit.link, lane, frames: [bytes] })
    }
    return null
  }

  #drop(reason: string): null {
    this.#base.faults.drop(reason)
    return null
  }

  /** Sends over the direct connection to a neighbour. Returns false if there is none. */
  #sendTo(neighbour: MemberId, relay: RelayFrame): boolean {
    return this.#connections.sendDirect(neighbour, { kind: "relay", relay })
  }

  #forward(next: MemberId, previous: MemberId, relay: RelayFrame): void {
    const buffered = this.#connections.table.get(next, "webrtc")?.bufferedBytes ?? 0
    if (relay.part === "unreliable" && buffered > RELAY_FORWARD_BYTES_HIGH / 2) return
    const full = buffered > RELAY_FORWARD_BYTES_HIGH
    if (!full && this.#sendTo(next, { ...relay, hopsLeft: relay.hopsLeft - 1 })) return
    if (relay.part === "close") return
    // Omitting one frame would break the circuit's stream unnoticed. Closing it makes both ends take another path and
    // retransmit.
    const { origin: target, target: origin } = relay
    const route = relay.route.toReversed()
    const hopsLeft = route.length - route.indexOf(this.#self) - 1
    this.#sendTo(previous, { ...relay, origin, target, route, hopsLeft, part: "close", bytes: BY_RELAY })
  }

  #connected(circuit: Circuit): void {
    circuit.connected = true
    this.#connections.handlePeer({
      type: "peer-connected",
      link: circuit.link,
      localFingerprint: "",
      remoteFingerprint: "",
    })
  }

  #send({ link, peer: target, attempt, route }: Circuit, part: RelayFrame["part"], bytes: Uint8Array): void {
    const relay = { hopsLeft: route.length, route, origin: this.#self, target, attempt, part, bytes }
    const circuit = this.#circuits.get(link)
    if (!this.#sendTo(route[0]!, relay) && circuit) this.#end(circuit, "the relaying member is gone", false)
  }

  #add(circuit: Circuit): Circuit | null {
    if (this.#circuits.size >= CIRCUITS_MAX) {
      this.#connections.handlePeer({
        type: "peer-closed",
        link: circuit.link,
        byPeer: false,
        reason: "too many relayed links",
      })
      return null
    }
    this.#circuits.set(circuit.link, circuit)
    return circuit
  }

  #end(circuit: Circuit, reason: string, byPeer: boolean): void {
    if (!this.#circuits.delete(circuit.link)) return
    this.#connections.handlePeer({ type: "peer-closed", link: circuit.link, byPeer, reason })
  }
}
