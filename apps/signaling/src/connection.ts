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

/** What the server remembers of one connection, and hands over when another process recovers it. */
interface ConnectionData {
  /** Room to our address in it. A connection has one address per room; rooms are hex and clash with no property. */
  readonly entries: Record<string, string>
  /** The certificate whose possession it has proved, until that runs out. */
  proved?: { readonly fingerprint: string; readonly notAfterMs: number }
}

export type SignalingServer = Server<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, ConnectionData>
export type Connection = Socket<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, ConnectionData>

/** A connection of Engine.IO, below the protocol: from its first frame, whether or not it ever says what it wants. */
export type Transport = Connection["conn"]

/** A reply that is not waited for: the connection's next request has its turn before it. Never rejects. */
export class Later<N extends RequestName> {
  readonly reply: Promise<Reply<N>>

  constructor(reply: Promise<Reply<N>>) {
    this.reply = reply
  }
}

export type Answer<N extends RequestName> = Reply<N> | Promise<Reply<N>> | Later<N>

/** Answers one parsed request. A rejection is a failure of the store. */
type Handler<N extends RequestName> = (connection: Connection, request: Request<N>) => Answer<N>

export type Handlers = { readonly [N in RequestName]: Handler<N> }

export function refuse(code: ErrorCode, message: string): Failure {
  return { ok: false, code, message }
}

export const notInRoom: Failure = refuse("not-in-room", "Enter the room first.")
