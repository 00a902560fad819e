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

/** What the server remembers of one connection. Who else is in a room, only Socket.IO's adapter knows. */
interface ConnectionData {
  /** Room to our address in it. A connection has one address per room. */
  readonly entries: Map<string, string>
}

export type SignalingServer = Server<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, ConnectionData>
export type Connection = Socket<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, ConnectionData>

/** Answers one parsed request. A rejection is a failure of the store. */
type Handler<N extends RequestName> = (connection: Connection, request: Request<N>) => Reply<N> | Promise<Reply<N>>

export type Handlers = { readonly [N in RequestName]: Handler<N> }

export function refuse(code: ErrorCode, message: string): Failure {
  return { ok: false, code, message }
}
