import { hexToBytes } from "@noble/hashes/utils.js"
import {
  type BootstrapConnection,
  connectBootstrap,
  type Refusal,
  type ServerSink,
  unreachable,
} from "./bootstrap-connection.ts"
import type { FrameConnection, ConnectionListener } from "./frame-connection.ts"
import type { BootstrapCommand, BootstrapEvent, BootstrapReply, RoomAddress } from "../port/port.ts"
import { type RelayOpen, Relays } from "./relays.ts"
import type { WarmConnections } from "./warm-connections.ts"

/** Servers connected at a time. A further one is reported `down` and stays so. A member needs one per conference. */
const SERVERS_MAX = 16

/** The bootstrap half of a `Host`, for browsers and Node. */
export interface Bootstrap {
  /** Never throws, and never calls `onEvent` before it has returned. */
  post(command: BootstrapCommand): void
  /** A link through a connected server, which ends with the connection. Without this method there are none. */
  openRelay?(command: RelayOpen, listener: ConnectionListener): FrameConnection
  /** Closes every connection. No event follows. */
  close(): void
}

/**
 * One connection per server, with reference counting: each `bootstrap-connect` needs its `bootstrap-disconnect`.
 *
 * The server is an adversary. Everything that it sends is parsed, and dropped or answered `bad-reply` if it violates
 * the protocol. Every command with a `request` number gets one reply. While the server is away requests wait for it,
 * until they are answered `server-unreachable`. Advertisements and signals are dropped, as any of them may be at any
 * time.
 * @param warm keeps connections for their next user
 */
export function createBootstrap(onEvent: (event: BootstrapEvent) => void, warm?: WarmConnections): Bootstrap {
  const open: Connect = warm ? (origin, sink) => warm.connect(origin, sink) : connectBootstrap
  const servers = new Map<string, { readonly connection: BootstrapConnection; references: number }>()
  let closed = false
  const report = (event: BootstrapEvent) => {
    if (!closed) onEvent(event)
  }

  const relays = new Relays(({ server, room, to }) => (frame, onAnswer) => {
    const connection = servers.get(server)?.connection
    if (connection === undefined) return queueMicrotask(() => onAnswer(unreachable.code))
    connection.ask("relay", { room, to, frame }, (reply) => onAnswer(reply.ok ? null : reply.code))
  })

  const connect = (server: string) => {
    const known = servers.get(server)
    if (known !== undefined) {
      known.references += 1
      return
    }
    if (servers.size < SERVERS_MAX && isOrigin(server)) {
      servers.set(server, { connection: connectTo(open, server, relays, report), references: 1 })
    } else {
      queueMicrotask(() => report({ type: "bootstrap-state", server, state: "down" }))
    }
  }

  const disconnect = (server: string) => {
    const known = servers.get(server)
    if (known === undefined) return
    known.references -= 1
    if (known.references > 0) return
    servers.delete(server)
    known.connection.close()
  }

  return {
    openRelay: (command, listener) => relays.open(command, listener),
    post: (command) => {
      if (closed) return
      if (command.type === "bootstrap-connect") return connect(command.server)
      if (command.type === "bootstrap-disconnect") return disconnect(command.server)
      const connection = servers.get(command.server)?.connection
      if (connection !== undefined) return carryOut(connection, command, report)
      if ("request" in command) queueMicrotask(() => report(replyTo(command, unreachable)))
    },
    close: () => {
      closed = true
      for (const { connection } of servers.values()) connection.close()
      servers.clear()
    },
  }
}

type ServerCommand = Exclude<BootstrapCommand, { readonly type: "bootstrap-connect" | "bootstrap-disconnect" }>
type Report = (event: BootstrapEvent) => void
type Connect = (origin: string, sink: ServerSink) => BootstrapConnection

function connectTo(open: Connect, server: string, relays: Relays, report: Report): BootstrapConnection {
  return open(server, {
    take: (news) => {
      if (news.type === "state") {
        const { state, id } = news
        report({ type: "bootstrap-state", server, state, ...(id !== undefined && { connection: id }) })
        return state === "down" ? relays.lose(server) : undefined
      }
      const { delivery } = news
      const from = delivery.from as RoomAddress
      const { room } = delivery
      if ("frame" in delivery) return relays.receive(server, room, from, delivery.frame)
      if ("envelope" in delivery) report({ type: "room-signal", server, room, from, envelope: delivery.envelope })
      else report({ type: "room-advertisement", server, room, from, advertisement: delivery.advertisement })
    },
  })
}

function carryOut(connection: BootstrapConnection, command: ServerCommand, report: Report): void {
  switch (command.type) {
    case "conference-create": {
      const { id, descriptor, expiresAtMs, verifier, creatorKey } = command
      const keys = { ...(verifier && { verifier }), ...(creatorKey && { creatorKey }) }
      const creation = { id, descriptor, expiresAtMs, ...keys }
      return connection.ask("conference:create", creation, (reply) => report(replyTo(command, reply)))
    }
    case "conference-get":
      return connection.ask("conference:get", { id: command.id }, (reply) => {
        if (!reply.ok) return report(replyTo(command, reply))
        const { descriptor, end } = reply
        report(replyTo(command, { ok: true, descriptor, ...(end !== undefined && { end: hexToBytes(end) }) }))
      })
    case "conference-end": {
      const { id, end } = command
      return connection.ask("conference:end", { id, end }, (reply) => report(replyTo(command, reply)))
    }
    case "room-enter": {
      const { room, address, proof } = command
      const entry = { room, address, ...(proof && { proof }) }
      return connection.ask("room:enter", entry, (reply) => report(replyTo(command, reply)))
    }
    case "ice-servers":
      return connection.ask("ice:servers", { room: command.room }, (reply) => {
        if (!reply.ok) return report(replyTo(command, reply))
        const { stun, turn } = reply
        report(replyTo(command, { ok: true, ice: { stun, ...(turn && { turn }) } }))
      })
    case "room-leave":
      // `ask` instead of `notify`: it must follow an enter that still waits for the connection.
      return connection.ask("room:leave", { room: command.room }, () => {})
    case "room-advertise":
      return connection.notify("room:advertise", { room: command.room, advertisement: command.advertisement })
    case "room-signal":
      return connection.notify("signal", { room: command.room, to: command.to, envelope: command.envelope })
  }
}

function replyTo(
  command: { readonly server: string; readonly request: number },
  reply: BootstrapReply | Refusal,
): BootstrapEvent {
  return { type: "bootstrap-reply", server: command.server, request: command.request, reply }
}

/** A server's address comes from a link that somebody sent. Only an origin is accepted. */
function isOrigin(server: string): boolean {
  if (!URL.canParse(server)) return false
  const url = new URL(server)
  return (url.protocol === "http:" || url.protocol === "https:") && url.origin === server
}
