/** Creates a conference: its descriptor, its creator and its entry in the directory. */
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

/** `then` runs while the directory is still connected. */
export async function makeConference<T>(
  wanted: Wanted,
  { identity, checker, directory }: Maker,
  then: (invitation: Invitation, descriptor: Uint8Array) => Promise<T>,
): Promise<T> {
  const nowMs = Date.now()
  const server = normalizeServer(wanted.server)
  const admission = await admissionFor(wanted.admission, checker, nowMs)
  const creator = await creatorOf(identity, admission, nowMs)
  const { bytes, invitation, verifier } = await createDescriptor({ ...wanted, admission, server, creator })
  directory.use(server)
  try {
    const expiresAtMs = wanted.startsAtMs + wanted.durationMs + EXTENSION_MS_MAX
    await directory.create(server, { id: invitation.conferenceId, descriptor: bytes, expiresAtMs, verifier })
    return await then(invitation, bytes)
  } finally {
    directory.release(server)
  }
}
