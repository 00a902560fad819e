import type { Credential } from "../../members/credentials.ts"
import type { Connection } from "../path/connection.ts"
import type { Carrier } from "../path/connection-io.ts"
import type { MeshOutput } from "../shared/config.ts"
import type { InvitationKeys } from "../shared/keyring.ts"
import type { Feature } from "../shared/protocol.ts"
import type { LinkOutput, ResumableLink } from "./resumable-link.ts"

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

/** Output of the mesh for an output of the link of a member. */
export function linkEvent(
  { credential, incarnation, keys, features }: ConnectedMember,
  output: Exclude<LinkOutput, { readonly type: "close" | "dirty" }>,
): MeshOutput {
  const peer = credential.member
  switch (output.type) {
    case "up":
      return { type: "linkUp", peer, incarnation, credential, keys: keys!, features }
    case "reset":
      return { type: "linkDown", peer, reason: "the peer has lost its state" }
    case "message":
      return { type: "frame", peer, bytes: output.bytes }
    case "path":
    case "ready":
      return { ...output, peer }
  }
}
