/** A new conference: who makes it, whom it admits, and the place that it gets in the directory. */
import type { AdmissionOptions } from "../api.ts"
import {
  createDescriptor,
  type CreateDescriptorOptions,
  type Invitation,
  normalizeServer,
} from "../conference/index.ts"
import type { MemberCredentialChecker, OwnIdentity } from "../identity/index.ts"
import { admissionFor, creatorOf } from "./admitted.ts"
import type { Directory } from "./directory.ts"

export type Maker = {
  readonly identity: OwnIdentity
  readonly checker: MemberCredentialChecker
  readonly directory: Directory
}
type Wanted = Omit<CreateDescriptorOptions, "admission" | "creator"> & { readonly admission: AdmissionOptions }

/** `then`: while the directory is still connected. */
export async function makeConference<T>(
  wanted: Wanted,
  { identity, checker, directory }: Maker,
  then: (invitation: Invitation, descriptor: Uint8Array) => Promise<T>,
): Promise<T> {
  const nowMs = Date.now()
  const server = normalizeServer(wanted.server)
  const admission = await admissionFor(wanted.admission, checker, nowMs)
  const creator = await creatorOf(identity, admission, nowMs)
  const { bytes, invitation } = await createDescriptor({ ...wanted, admission, server, creator })
  directory.use(server)
  try {
    await directory.create(server, invitation.conferenceId, bytes, wanted.startsAtMs + wanted.durationMs)
    return await then(invitation, bytes)
  } finally {
    directory.release(server)
  }
}
