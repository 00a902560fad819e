import type { Credential } from "../../members/credentials.ts"
import { Connection } from "../path/connection.ts"
import type { Carrier } from "../path/connection-io.ts"
import { PROTOCOL } from "../shared/protocol.ts"
import type { MeshBase } from "../base/mesh-base.ts"
import type { Role } from "../association/transcript.ts"

/** The target and the kind of a connection that is to be made. */
export type Opening = {
  readonly credential: Credential
  readonly incarnation: number
  readonly role: Role
  readonly attempt: number
  readonly carrier: Carrier
  /** The first message of the peer's association, if it came with the request. */
  readonly opening?: Uint8Array
}

/** Creates a connection under a new id. It sends nothing yet. */
export function connectionFor(
  { mesh, scope, keyring, clock }: MeshBase,
  { credential, incarnation, role, attempt, carrier, opening }: Opening,
): Connection {
  return new Connection(
    {
      id: mesh.host.nextConnection(),
      scope,
      invitations: keyring.all,
      role,
      attempt,
      own: { certificate: mesh.signer.certificate, incarnation: mesh.incarnation },
      peer: credential,
      peerIncarnation: incarnation,
      carrier,
      opening,
      random: mesh.random,
      protocol: mesh.protocol ?? PROTOCOL,
      hopCipher: mesh.hopCipher,
      kem: mesh.kem ?? null,
    },
    clock.nowMs,
  )
}
