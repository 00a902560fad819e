import type { BootstrapCommand, BootstrapReply, HostEvent, HostFactory, RoomAddress } from "../host/port.ts"
import { LoopbackPeers } from "./loopback-peers.ts"

type Delivery = { readonly to: string; readonly event: HostEvent }
type Attached = { readonly onEvent: (event: HostEvent) => void; servers: Set<string> }

/** Idle turns of the microtask queue after which `run` takes everybody to be waiting for something else. */
const IDLE_TURNS = 64

/**
 * Hosts that live in one process: peer connections and a bootstrap server (one for every origin) in memory.
 *
 * Everything is delivered in the order of its sending. Without `schedule` only when `step` or `run` is called; with it
 * (`queueMicrotask`, `setImmediate`) by itself. `onDelivery` is the adversary on every wire: it sees each event before
 * its host does and says what the host gets instead.
 */
export class LoopbackNetwork {
  onDelivery: ((to: string, event: HostEvent) => readonly HostEvent[]) | null = null
  readonly #queue: Delivery[] = []
  readonly #hosts = new Map<string, Attached>()
  readonly #peers = new LoopbackPeers((to, event) => this.inject(to, event))
  readonly #rooms = new Map<string, Map<RoomAddress, string>>()
  readonly #descriptors = new Map<string, Uint8Array>()
  readonly #schedule: ((task: () => void) => void) | null
  #serverUp = true

  constructor(options: { readonly schedule?: (task: () => void) => void } = {}) {
    this.#schedule = options.schedule ?? null
  }

  /** `name` is for the other methods here; no two hosts have one name. */
  createHost(name: string): HostFactory {
    return (onEvent) => {
      if (this.#hosts.has(name)) throw new Error(`there is a host ${name} already`)
      this.#hosts.set(name, { onEvent, servers: new Set() })
      return {
        post: (command) => {
          if (!this.#hosts.has(name)) return
          if ("link" in command) this.#peers.post(name, command)
          else this.#handleBootstrap(name, command)
        },
        close: () => {
          this.#peers.closeAll(name)
          this.#leaveRooms(name)
          this.#hosts.delete(name)
        },
      }
    }
  }

  /** Queues an event for a host: whatever a hostile server or peer could make up, too. */
  inject(to: string, event: HostEvent): void {
    this.#queue.push({ to, event })
    if (this.#queue.length === 1) this.#schedule?.(() => this.drain())
  }

  /** Delivers the oldest event; false if there is none. */
  step(): boolean {
    const delivery = this.#queue.shift()
    if (delivery === undefined) return false
    const { to, event } = delivery
    for (const each of this.onDelivery?.(to, event) ?? [event]) this.#hosts.get(to)?.onEvent(each)
    return true
  }

  /** Delivers what there is and what comes of it at once. */
  drain(): void {
    while (this.step());
  }

  /** Delivers until nobody has anything to say, given that no promise takes longer than a few microtasks. */
  async run(): Promise<void> {
    for (let idle = 0; idle < IDLE_TURNS; idle++) {
      if (this.#queue.length > 0) idle = 0
      this.drain()
      await Promise.resolve()
    }
  }

  setServer(state: "up" | "down"): void {
    this.#serverUp = state === "up"
    this.#rooms.clear()
    for (const [name, { servers }] of this.#hosts) {
      for (const server of servers) this.inject(name, { type: "bootstrap-state", server, state })
    }
  }

  cut(a: string, b: string): void {
    this.#peers.cut(a, b)
  }

  mend(a: string, b: string): void {
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
        return reply(command.request, descriptor ? { ok: true, descriptor } : missing)
      }
      case "room-enter":
        if (this.#serverUp) this.#room(command.room).set(command.address, name)
        return reply(command.request, { ok: true })
      case "room-leave":
        this.#rooms.get(command.room)?.delete(command.address)
        return
      case "room-advertise":
        return this.#advertise(name, command)
      case "room-signal":
        return this.#signal(name, command)
    }
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
