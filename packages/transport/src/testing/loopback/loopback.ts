import type { BootstrapCommand, BootstrapReply, HostEvent, HostFactory, RoomAddress } from "../../port/port.ts"
import { LoopbackPeers } from "./loopback-peers.ts"
import { LoopbackRelays, type RelayOpen } from "./loopback-relays.ts"
import type { Random } from "../random/random.ts"

type Delivery = { readonly to: string; readonly event: HostEvent }
type Attached = { readonly onEvent: (event: HostEvent) => void; servers: Set<string> }

/** Idle turns of the microtask queue after which `run` assumes that every host waits for something else. */
const IDLE_TURNS = 64

/**
 * Hosts in one process: peer connections and a bootstrap server (one for every origin) in memory.
 *
 * Everything is delivered in the order of sending. Without `schedule` it is delivered only when `step` or `run` is
 * called, with it (`queueMicrotask`, `setImmediate`) automatically. `onDelivery` is the adversary on every wire: it
 * sees each event before its host does and returns what the host gets instead.
 */
export class LoopbackNetwork {
  onDelivery: ((to: string, event: HostEvent) => readonly HostEvent[]) | null = null
  readonly #queue: Delivery[] = []
  readonly #hosts = new Map<string, Attached>()
  readonly #peers = new LoopbackPeers((to, event) => this.inject(to, event))
  readonly #relays = new LoopbackRelays((to, event) => this.inject(to, event))
  readonly #rooms = new Map<string, Map<RoomAddress, string>>()
  readonly #descriptors = new Map<string, Uint8Array>()
  readonly #ends = new Map<string, Uint8Array>()
  readonly #schedule: ((task: () => void) => void) | null
  #serverUp = true

  /** Whether the server relays. Otherwise requested links through it never open. */
  relays = true

  constructor(options: { readonly schedule?: (task: () => void) => void } = {}) {
    this.#schedule = options.schedule ?? null
  }

  /** `name` identifies the host in the other methods, and must be unique. */
  createHost(name: string): HostFactory {
    return (onEvent) => {
      if (this.#hosts.has(name)) throw new Error(`there is a host ${name} already`)
      this.#hosts.set(name, { onEvent, servers: new Set() })
      return {
        post: (command) => {
          if (!this.#hosts.has(name)) return
          if (command.type === "relay-open") this.#openRelay(name, command)
          else if ("connectionId" in command) {
            if (!this.#relays.post(name, command)) this.#peers.post(name, command)
          } else this.#handleBootstrap(name, command)
        },
        close: () => {
          this.#peers.closeAll(name)
          this.#relays.closeAll(name)
          this.#leaveRooms(name)
          this.#hosts.delete(name)
        },
      }
    }
  }

  /** Resources that are not closed: hosts, ends of links, connections to the server, and addresses in its rooms. */
  get inUse(): { hosts: number; links: number; connections: number; entries: number } {
    const count = (sizes: Iterable<number>): number => [...sizes].reduce((sum, size) => sum + size, 0)
    return {
      hosts: this.#hosts.size,
      links: this.#peers.count + this.#relays.count,
      connections: count(Array.from(this.#hosts.values(), ({ servers }) => servers.size)),
      entries: count(Array.from(this.#rooms.values(), (room) => room.size)),
    }
  }

  /** Queues an event for a host, for instance one that a hostile server or peer forges. */
  inject(to: string, event: HostEvent): void {
    this.#queue.push({ to, event })
    if (this.#queue.length === 1) this.#schedule?.(() => this.drain())
  }

  /** Events that are not delivered yet. */
  get pending(): number {
    return this.#queue.length
  }

  /** Delivers the oldest event. Returns false if there is none. */
  step(): boolean {
    const delivery = this.#queue.shift()
    if (delivery === undefined) return false
    const { to, event } = delivery
    for (const each of this.onDelivery?.(to, event) ?? [event]) this.#hosts.get(to)?.onEvent(each)
    return true
  }

  /** Delivers pending events and the events that they cause at once. */
  drain(): void {
    while (this.step());
  }

  /** Delivers until no host sends anything, provided that no promise takes longer than a few microtasks. */
  async run(): Promise<void> {
    for (let idle = 0; idle < IDLE_TURNS; idle++) {
      if (this.#queue.length > 0) idle = 0
      this.drain()
      await Promise.resolve()
    }
  }

  setServer(state: "up" | "down"): void {
    this.#serverUp = state === "up"
    if (!this.#serverUp) this.#relays.closeAll()
    this.#rooms.clear()
    for (const [name, { servers }] of this.#hosts) {
      for (const server of servers) this.inject(name, { type: "bootstrap-state", server, state })
    }
  }

  /** The last frames that the server has relayed, as it sees them. */
  get relayed(): readonly Uint8Array[] {
    return this.#relays.seen
  }

  /** Share of the unreliable frames that are lost from now on. */
  loseUnreliable(part: number, random: Random): void {
    this.#peers.loses = () => random.chance(part)
  }

  /** Breaks all links between two hosts, and lets none open until `mend`. Other hosts may relay for them. */
  cut(a: string, b: string): void {
    this.#peers.cut(a, b)
    this.#relays.cut(a, b)
  }

  /** As `cut`, for peer connections only: the server can still relay. */
  cutDirect(a: string, b: string): void {
    this.#peers.cut(a, b)
  }

  mend(a: string, b: string): void {
    this.#relays.mend(a, b)
    this.#peers.mend(a, b)
  }

  #handleBootstrap(name: string, command: BootstrapCommand): void {
    const { server } = command
    const reply = (request: number, answer: BootstrapReply): void => {
      const away: BootstrapReply = { ok: false, code: "server-unreachable", message: "the server is down" }
      this.inject(name, { type: "bootstrap-reply", server, request, reply: this.#serverUp ? answer : away })
    }
    switch (command.type) {
      case "bootstrap-connect":
        this.#hosts.get(name)?.servers.add(server)
        return this.inject(name, { type: "bootstrap-state", server, state: this.#serverUp ? "up" : "down" })
      case "bootstrap-disconnect":
        this.#hosts.get(name)?.servers.delete(server)
        return this.#leaveRooms(name)
      case "conference-create":
        return reply(command.request, this.#create(command.id, command.descriptor))
      case "conference-get": {
        const descriptor = this.#descriptors.get(command.id)
        const missing: BootstrapReply = { ok: false, code: "unknown-conference", message: "no such conference" }
        const end = this.#ends.get(command.id)
        return reply(command.request, descriptor ? { ok: true, descriptor, ...(end && { end }) } : missing)
      }
      case "conference-end":
        if (this.#serverUp) this.#ends.set(command.id, command.end)
        return reply(command.request, { ok: true })
      case "room-enter":
        if (this.#serverUp) this.#room(command.room).set(command.address, name)
        return reply(command.request, { ok: true })
      case "ice-servers":
        return reply(command.request, { ok: true, ice: { stun: [] } })
      case "room-leave":
        this.#rooms.get(command.room)?.delete(command.address)
        return
      case "room-advertise":
        return this.#advertise(name, command)
      case "room-signal":
        return this.#signal(name, command)
    }
  }

  #openRelay(name: string, command: RelayOpen): void {
    const other = this.#room(command.room).get(command.to)
    if (this.#serverUp && this.relays && other !== undefined) this.#relays.open(name, command, other)
  }

  #create(id: string, descriptor: Uint8Array): BootstrapReply {
    if (this.#descriptors.has(id)) return { ok: false, code: "conference-exists", message: "the id is taken" }
    this.#descriptors.set(id, descriptor)
    return { ok: true }
  }

  #advertise(name: string, { server, room, advertisement }: BootstrapCommand & { type: "room-advertise" }): void {
    const from = this.#addressOf(name, room)
    if (from === undefined) return
    for (const [address, host] of this.#room(room)) {
      if (address !== from) this.inject(host, { type: "room-advertisement", server, room, from, advertisement })
    }
  }

  #signal(name: string, { server, room, to, envelope }: BootstrapCommand & { type: "room-signal" }): void {
    const from = this.#addressOf(name, room)
    const host = this.#room(room).get(to)
    if (from !== undefined && host !== undefined)
      this.inject(host, { type: "room-signal", server, room, from, envelope })
  }

  #room(name: string): Map<RoomAddress, string> {
    const room = this.#rooms.get(name) ?? new Map<RoomAddress, string>()
    this.#rooms.set(name, room)
    return room
  }

  #addressOf(host: string, room: string): RoomAddress | undefined {
    return [...this.#room(room)].findLast(([, owner]) => owner === host)?.[0]
  }

  #leaveRooms(host: string): void {
    for (const room of this.#rooms.values()) {
      for (const [address, owner] of room) if (owner === host) room.delete(address)
    }
  }
}
