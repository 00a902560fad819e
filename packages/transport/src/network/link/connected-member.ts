import type { Credential } from "../../members/credentials.ts"
import type { Connection } from "../path/connection.ts"
import type { Carrier } from "../path/connection-io.ts"
import type { InvitationKeys } from "../shared/keyring.ts"
import type { Feature } from "../shared/protocol.ts"
import type { ConnectionsConfig } from "./connections-config.ts"
import { ResumableLink, type ResumableLinkConfig } from "./resumable-link.ts"

/** One incarnation of one member: at most one connection of each kind, and the link that they carry together. */
export type ConnectedMember = {
  readonly credential: Credential
  readonly incarnation: number
  readonly link: ResumableLink
  /** The newest keys that the member has proved to hold. Null before its first association. */
  keys: InvitationKeys | null
  /** Features of the protocol that both ends support. Empty before the first association. */
  features: readonly Feature[]
  readonly connections: Map<Carrier["type"], Connection>
}

/** A member without a connection. Its link emits what the mesh emits about it. */
export function createMember(
  { emit, mesh, onPath }: ConnectionsConfig,
  credential: Credential,
  incarnation: number,
  hooks: Pick<ResumableLinkConfig, "close" | "dirty">,
): ConnectedMember {
  const peer = credential.member
  const link = new ResumableLink({
    nonce: mesh.random(16),
    onUp: () => emit({ type: "linkUp", peer, incarnation, credential, keys: member.keys!, features: member.features }),
    onReset: () => emit({ type: "linkDown", peer, reason: "the other side has lost its state" }),
    onPath: (path) => {
      onPath(peer)
      emit({ type: "path", peer, path })
    },
    onMessage: (bytes) => emit({ type: "frame", peer, bytes }),
    onReady: () => emit({ type: "ready", peer }),
    ...hooks,
  })
  const member: ConnectedMember = { credential, incarnation, link, keys: null, features: [], connections: new Map() }
  return member
}
