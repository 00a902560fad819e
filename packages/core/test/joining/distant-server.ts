import type { Bootstrap } from "@keymoot/transport/host"
import type {
  BootstrapCommand,
  BootstrapEvent,
  BootstrapReply,
  HostFactory,
  RoomAddress,
} from "@keymoot/transport/host"
import { createHost } from "@keymoot/transport/host"
import { Relays } from "@keymoot/transport/host"

type Place = { readonly address: RoomAddress; readonly room: string; readonly client: Client }
type Client = {
  readonly oneWayMs: number
  isCut: boolean
  /** Servers that it uses. */
  readonly servers: Set<string>
  readonly relays: Relays
  /** Runs the task after the way from the server to this client. */
  later(task: () => void): void
  readonly onEvent: (event: BootstrapEvent) => void
}

/**
 * A signalling server at some distance, with Keymoot's own relay links and nothing else: no WebRTC, no loss, no
 * bandwidth. A timer delivers each message, so with fake timers only distances and waits of the protocol take time.
 */
export class DistantServer {
  readonly #descriptors = new Map<string, Uint8Array>()
  readonly #places = new Set<Place>()
  readonly #clients = new Set<Client>()

  /** `oneWayMs`: from the member to the server, and back. */
  createHost(oneWayMs: number): HostFactory {
    return (onEvent) => createHost(onEvent, { bootstrap: (onEvent) => this.#connect(onEvent, oneWayMs) })
  }

  /**
   * Cuts clients off that are so far away, or farther. Messages under way are lost. Server and clients notice it after
   * `noticedMs`.
   */
  cut(fromOneWayMs: number, noticedMs: number): void {
    for (const client of this.#clients) {
      if (client.oneWayMs < fromOneWayMs) continue
      client.isCut = true
      setTimeout(() => {
        this.#leave(client)
        for (const server of client.servers) {
          client.relays.lose(server)
          client.onEvent({ type: "bootstrap-state", server, state: "down" })
        }
      }, noticedMs)
    }
  }

  /** Connects the clients that are cut off again. */
  heal(): void {
    for (const client of this.#clients) {
      if (!client.isCut) continue
      client.isCut = false
      for (const server of client.servers) client.onEvent({ type: "bootstrap-state", server, state: "up" })
    }
  }

  #connect(onEvent: (event: BootstrapEvent) => void, oneWayMs: number): Bootstrap {
    const later = (task: () => void): void =>
      void setTimeout(() => {
        if (!client.isCut) task()
      }, oneWayMs)
    const ask = <T>(task: () => T, onReply: (reply: T) => void): void =>
      later(() => {
        const reply = task()
        later(() => onReply(reply))
      })
    const relays = new Relays(({ server, room, to }) => (frame, onAnswer) => {
      const relay = (): string | null => {
        const from = this.#of(client, room)
        const there = [...this.#places].find((place) => place.room === room && place.address === to)
        if (!from || !there) return "unknown-address"
        there.client.later(() => there.client.relays.receive(server, room, from.address, frame))
        return null
      }
      ask(relay, onAnswer)
    })
    const client: Client = { oneWayMs, isCut: false, servers: new Set(), relays, later, onEvent }
    this.#clients.add(client)
    return {
      post: (command) => {
        // The page has connected when it showed the invitation.
        const { server } = command
        client.servers.add(server)
        if (command.type === "bootstrap-connect")
          return queueMicrotask(() => onEvent({ type: "bootstrap-state", server, state: "up" }))
        ask(
          () => this.#handle(client, command),
          (reply) => {
            if (reply && "request" in command)
              onEvent({ type: "bootstrap-reply", server, request: command.request, reply })
          },
        )
      },
      openRelay: (command, listener) => relays.open(command, listener),
      close: () => this.#leave(client),
    }
  }

  #handle(client: Client, command: BootstrapCommand): BootstrapReply | null {
    switch (command.type) {
      case "conference-create":
        this.#descriptors.set(command.id, command.descriptor)
        return { ok: true }
      case "conference-get":
        return { ok: true, descriptor: this.#descriptors.get(command.id)! }
      case "room-enter":
        this.#places.add({ address: command.address, room: command.room, client })
        return { ok: true }
      case "ice-servers":
        return { ok: true, ice: { stun: [] } }
      case "room-advertise":
      case "room-signal":
        this.#pass(client, command)
        return null
      case "room-leave":
        this.#leave(client)
        return null
      default:
        return null
    }
  }

  #pass(client: Client, command: BootstrapCommand & { readonly type: "room-advertise" | "room-signal" }): void {
    const { server, room } = command
    const from = this.#of(client, room)?.address
    if (!from) return
    for (const place of this.#places) {
      if (place.room !== room || place.client === client) continue
      const { later, onEvent } = place.client
      if (command.type === "room-advertise") {
        const { advertisement } = command
        later(() => onEvent({ type: "room-advertisement", server, room, from, advertisement }))
      } else if (command.to === place.address) {
        later(() => onEvent({ type: "room-signal", server, room, from, envelope: command.envelope }))
      }
    }
  }

  #of(client: Client, room: string): Place | undefined {
    return [...this.#places].find((place) => place.client === client && place.room === room)
  }

  #leave(client: Client): void {
    for (const place of this.#places) if (place.client === client) this.#places.delete(place)
  }
}
