import { type Connection, type Handlers, notInRoom } from "./connection.ts"
import { type TurnConfig, turnCredentials } from "./turn.ts"

/** Answers which STUN and TURN servers a member in a room may use. @param stun the URLs at this moment */
export function iceHandlers(
  stun: () => readonly string[],
  turn: TurnConfig | undefined,
  addressOf: (connection: Connection) => string,
): Pick<Handlers, "ice:servers"> {
  return {
    "ice:servers": (connection, { room }) => {
      if (connection.data.entries[room] === undefined) return notInRoom
      return { ok: true, stun: [...stun()], ...(turn && { turn: turnCredentials(turn, addressOf(connection)) }) }
    },
  }
}
