import type {
  ClientToServerEvents,
  ErrorCode,
  Failure,
  Reply,
  Request,
  RequestName,
  ServerToClientEvents,
} from "@keymoot/transport/signaling-protocol"
import type { DefaultEventsMap, Server, Socket } from "socket.io"

/** A connection's place in one room. */
export interface Place {
  readonly address: string
  /** The client proved that it holds the invitation. */
  readonly proven: boolean
}

/** The state of one connection. Another process that recovers the connection receives it. */
interface ConnectionData {
  /** By room. A connection has one address per room. Rooms are hex and clash with no property of an object. */
  readonly entries: Record<string, Place>
  /** The certificate whose possession it has proved, until the proof expires. */
  proved?: { readonly fingerprint: string; readonly notAfterMs: number }
}

export type SignalingServer = Server<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, ConnectionData>
export type Connection = Socket<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, ConnectionData>

/** A connection of Engine.IO, below the protocol: it exists from the first frame, before the handshake. */
export type Transport = Connection["conn"]

/**
 * A reply that arrives later: the connection's next request does not wait for it. A rejection means that the store
 * failed.
 */
export class Later<N extends RequestName> {
  readonly reply: Promise<Reply<N>>

  constructor(reply: Promise<Reply<N>>) {
    this.reply = reply
  }
}

export type Answer<N extends RequestName> = Reply<N> | Promise<Reply<N>> | Later<N>

/** Answers one parsed request. A rejection means that the store failed. */
type Handler<N extends RequestName> = (connection: Connection, request: Request<N>) => Answer<N>

export type Handlers = { readonly [N in RequestName]: Handler<N> }

export function refuse(code: ErrorCode, message: string): Failure {
  return { ok: false, code, message }
}

export const notInRoom: Failure = refuse("not-in-room", "Enter the room first.")
