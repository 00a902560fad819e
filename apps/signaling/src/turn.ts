import { createHmac } from "node:crypto"

export interface TurnConfig {
  /** `turn:` and `turns:` URLs of servers that share the secret. */
  readonly urls: readonly string[]
  /** coturn's `static-auth-secret`. */
  readonly secret: string
}

/**
 * Lifetime of credentials for a new allocation; coturn keeps an existing one. Short, because a client can pass
 * credentials on.
 */
const LIFETIME_MS = 60 * 60 * 1000
const PSEUDONYM_CHARS = 24

/**
 * Credentials by coturn's shared-secret scheme (draft-uberti-behave-turn-rest-00). The name is the expiry in seconds
 * and a pseudonym, the password its HMAC-SHA1. The pseudonym stands for a network address, which coturn sees anyway.
 * Coturn counts its quotas by the name, so a reconnect, here or at another process, does not create a second user.
 */
export function turnCredentials({ urls, secret }: TurnConfig, address: string) {
  const pseudonym = createHmac("sha256", secret).update(`address ${address}`).digest("hex")
  const username = `${Math.floor((Date.now() + LIFETIME_MS) / 1000)}:${pseudonym.slice(0, PSEUDONYM_CHARS)}`
  const credential = createHmac("sha1", secret).update(username).digest("base64")
  return { urls: [...urls], username, credential, lifetimeMs: LIFETIME_MS }
}
