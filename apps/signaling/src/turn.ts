import { createHmac } from "node:crypto"
import { type Connection, type Handlers, notInRoom, refuse } from "./connection.ts"

export interface TurnConfig {
  /** `turn:` and `turns:` URLs of servers that share the secret. */
  readonly urls: readonly string[]
  /** coturn's `static-auth-secret`. */
  readonly secret: string
}

/**
 * How long credentials are good for a new allocation; coturn keeps one that stands. Short, because whoever gets them can
 * hand them on.
 */
const LIFETIME_MS = 60 * 60 * 1000
const PSEUDONYM_CHARS = 24

/**
 * Credentials by coturn's shared-secret scheme (draft-uberti-behave-turn-rest-00): the name is the second of expiry and a
 * pseudonym, the password the name's HMAC-SHA1. The pseudonym stands for a network address, which coturn sees anyway:
 * coturn counts its quotas by it, so that connecting again, here or at another process, makes no second user.
 */
export function turnHandlers(
  turn: TurnConfig | undefined,
  addressOf: (connection: Connection) => string,
): Pick<Handlers, "turn:credentials"> {
  return {
    "turn:credentials": (connection, { room }) => {
      if (connection.data.entries[room] === undefined) return notInRoom
      if (turn === undefined) return refuse("turn-unavailable", "This server has no TURN server.")
      const pseudonym = createHmac("sha256", turn.secret)
        .update(`address ${addressOf(connection)}`)
        .digest("hex")
      const username = `${Math.floor((Date.now() + LIFETIME_MS) / 1000)}:${pseudonym.slice(0, PSEUDONYM_CHARS)}`
      const credential = createHmac("sha1", turn.secret).update(username).digest("base64")
      return { ok: true, urls: [...turn.urls], username, credential, lifetimeMs: LIFETIME_MS }
    },
  }
}
