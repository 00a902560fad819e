import type { Credential } from "../credentials.ts"
import { Connection, type Carrier } from "./connection.ts"
import type { ConnectionsConfig } from "./connections-config.ts"
import type { Role } from "./transcript.ts"

/** Whom a connection is to be made with, and how. */
export type Opening = {
  readonly credential: Credential
  readonly incarnation: number
  readonly role: Role
  readonly attempt: number
  readonly carrier: Carrier
}

/** A new connection with somebody, under a link number of its own; nothing is begun yet. */
export function connectionFor(
  { mesh, scope, keyring, nowMs }: ConnectionsConfig,
  { credential, incarnation, role, attempt, carrier }: Opening,
): Connection {
  return new Connection(
    {
      link: mesh.nextLink(),
      scope,
      invitations: keyring.all,
      role,
      attempt,
      own: { certificate: mesh.signer.certificate, incarnation: mesh.incarnation },
      peer: credential,
      peerIncarnation: incarnation,
      carrier,
      random: mesh.random,
      hopCipher: mesh.hopCipher,
    },
    nowMs(),
  )
}
