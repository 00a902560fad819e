import type { MemberId } from "../../members/ids.ts"
import type { DiscoveryMessage } from "../../overlay/discovery/discovery-messages.ts"
import type { LinkState } from "../../overlay/link-state/link-states.ts"
import { Overlay, type OverlayInput, type OverlayMessage, type OverlayOutput } from "../../overlay/overlay.ts"
import { StatusReporter, type Status } from "../../overlay/link-state/status-reporter.ts"
import { gossipIdOf } from "../../overlay/wire.ts"
import type { MemberInstance } from "../../wire/messages.ts"
import type { LinkEvents, MemberLinks, Names, WireMessage } from "./member-links.ts"
import type { OverlayListener, OverlayNetwork } from "./overlay-network.ts"

const TICK_MS = 100

type MemberRecord = LinkState & { readonly status: Status }

type BusMessage =
  | { readonly type: "advertisement"; readonly eagerness: number }
  | { readonly type: "signal"; readonly message: DiscoveryMessage }

export type SimulatedOverlayLinksConfig = {
  readonly network: OverlayNetwork
  readonly self: MemberInstance
  readonly names: Names
  readonly events: LinkEvents
  /** Uniform in [0, 1). */
  readonly random: () => number
  now(): number
  /** Only while the member is alive. */
  after(delayMs: number, run: () => void): void
  /** Runs now, or when the member has woken up. */
  whenAwake(run: () => void): void
}

/** A few links, and paths over them to every member. */
export class SimulatedOverlayLinks implements MemberLinks {
  readonly #config: SimulatedOverlayLinksConfig
  readonly #overlay: Overlay<WireMessage, MemberRecord>
  readonly #name: string
  readonly #reporter: StatusReporter
  #status: Status = null
  readonly #listener: OverlayListener

  constructor(config: SimulatedOverlayLinksConfig) {
    this.#config = config
    const { self, names, random } = config
    this.#name = names.nameOf(self.id)
    this.#overlay = new Overlay(self, random)
    this.#reporter = new StatusReporter((status) => {
      this.#status = status
      this.#input({ type: "news" })
    })
    this.#listener = {
      hear: (from, message) => this.#hear(names.idOf(from), message as BusMessage),
      wants: (peer) => this.#overlay.wants(names.idOf(peer)),
      linkUp: (peer) => this.#input({ type: "linkUp", peer: names.idOf(peer) }),
      linkDown: (peer) => this.#input({ type: "linkDown", peer: names.idOf(peer) }),
      receive: (from, message) =>
        this.#input({
          type: "message",
          from: names.idOf(from),
          message: message as OverlayMessage<WireMessage, MemberRecord>,
        }),
    }
  }

  start(): void {
    this.#config.network.attach(this.#name, this.#listener)
    const tick = (): void => {
      this.#reporter.tick(this.#config.now(), this.#overlay.reachableCount + 1)
      this.#input({ type: "tick" })
      this.#config.after(TICK_MS * (0.9 + 0.2 * this.#config.random()), tick)
    }
    tick()
  }

  stop(): void {
    this.#config.network.detach(this.#name, this.#listener)
  }

  transmit(to: readonly MemberId[], message: WireMessage): void {
    if (message.type === "heartbeat") return this.#reporter.heartbeat(message.heartbeat)
    if (message.type === "acknowledgement") return this.#reporter.acknowledgement(message.acknowledgement)
    const id = gossipIdOf(message.frame)
    // A repeated message to all goes only to those that have not answered.
    if (to.length > 1 && !this.#overlay.wasSaid(id)) {
      const bytes = message.frame.bytes.length
      return this.#input({ type: "broadcast", gossip: { id, message, bytes } })
    }
    for (const peer of to) this.#input({ type: "unicast", to: peer, message })
  }

  #hear(from: MemberId, message: BusMessage): void {
    this.#input({ ...message, from })
  }

  #input(input: OverlayInput<WireMessage, MemberRecord>): void {
    this.#config.whenAwake(() => {
      for (const output of this.#overlay.step(input, this.#config.now())) this.#output(output)
    })
  }

  #output(output: OverlayOutput<WireMessage, MemberRecord>): void {
    const { network, names, events, self } = this.#config
    switch (output.type) {
      case "advertise":
        return network.broadcast(this.#name, {
          type: "advertisement",
          eagerness: output.eagerness,
        } satisfies BusMessage)
      case "signal": {
        const message: BusMessage = { type: "signal", message: output.message }
        return network.signal(this.#name, names.nameOf(output.to), message)
      }
      case "connect":
        return network.connect(this.#name, names.nameOf(output.peer))
      case "disconnect":
        return network.break(this.#name, names.nameOf(output.peer))
      case "send":
        return network.send(this.#name, names.nameOf(output.to), output.message)
      case "deliver":
        return this.#deliver(output.message)
      case "reachable":
        return events.linkUp(output.member, output.incarnation, true)
      case "unreachable":
        return events.linkDown(output.member)
      case "sign":
        return this.#input({ type: "signed", record: { ...output.state, status: this.#status } })
      case "record": {
        const { origin, status } = output.record
        if (status && origin !== self.id) events.receive(origin, { type: "heartbeat", heartbeat: status })
      }
    }
  }

  /** Attributed to the message's origin, whichever member forwarded it. */
  #deliver(message: WireMessage): void {
    if (message.type === "frame") this.#config.events.receive(message.frame.origin, message)
  }
}
