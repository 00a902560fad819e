/** Creates a conference: its descriptor, its creator and its entry at the server. */
import type { AdmissionOptions } from "../api/index.ts"
import {
  createDescriptor,
  type CreateDescriptorOptions,
  EXTENSION_MS_MAX,
  type Invitation,
  normalizeServer,
} from "../conference/index.ts"
import type { MemberCredentialChecker, OwnIdentity } from "../identity/index.ts"
import { admissionFor, creatorOf } from "../admission/admitted.ts"
import type { Directory } from "./directory.ts"

export type Maker = {
  readonly identity: OwnIdentity
  readonly checker: MemberCredentialChecker
  readonly directory: Directory
}
type Wanted = Omit<CreateDescriptorOptions, "admission" | "creator"> & { readonly admission: AdmissionOptions }

/** The creation is still to be sent to the server. */
export async function newConference(wanted: Wanted, { identity, checker }: Maker) {
  const nowMs = Date.now()
  const server = normalizeServer(wanted.server)
  const admission = await admissionFor(wanted.admission, checker, nowMs)
  const creator = await creatorOf(identity, admission, nowMs)
  const { bytes: descriptor, invitation, verifier } = await createDescriptor({ ...wanted, admission, server, creator })
  const expiresAtMs = wanted.startsAtMs + wanted.durationMs + EXTENSION_MS_MAX
  const keys = { verifier, creatorKey: creator.publicKey }
  return { invitation, creation: { id: invitation.conferenceId, descriptor, expiresAtMs, ...keys } }
}

/** `then` runs while the directory is still connected. */
export async function makeConference<T>(
  wanted: Wanted,
  maker: Maker,
  then: (invitation: Invitation, descriptor: Uint8Array) => Promise<T>,
): Promise<T> {
  const { invitation, creation } = await newConference(wanted, maker)
  const { server } = invitation
  const { directory } = maker
  directory.use(server)
  try {
    await directory.create(server, creation)
    return await then(invitation, creation.descriptor)
  } finally {
    directory.release(server)
  }
}
