/** Creates conferences, also those that open later and those of a directory: descriptor, creator and entry at the server. */
import { bytesToHex } from "@noble/hashes/utils.js"
import { type AdmissionOptions, KeymootError, type ScheduledConference } from "../api/index.ts"
import { createDescriptor, type CreateDescriptorOptions, EXTENSION_MS_MAX } from "../conference/create-descriptor.ts"
import { formatInvitation, type Invitation, normalizeServer } from "../conference/invitation.ts"
import { publicPartOf } from "../conference/descriptor.ts"
import type { MemberCredentialChecker } from "../identity/certificates/credential-checker.ts"
import type { OwnIdentity } from "../identity/own-identity.ts"
import { admissionFor, creatorOf } from "../admission/admitted.ts"
import { ConferenceRecord } from "../device/conference-record.ts"
import type { EngineCalls } from "../rpc/protocol.ts"
import type { Directory } from "./directory.ts"
import type { EngineOptions } from "./engine.ts"
import { assertHasModules } from "./own-modules.ts"
import { assertSchedule, CLOCKS_BEHIND_MS } from "./time-frame.ts"

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
  return maker.directory.during(server, async () => {
    await maker.directory.create(server, creation)
    return then(invitation, creation.descriptor)
  })
}

/** Makes a conference that opens later, without entering it. */
export async function scheduleConference(
  params: EngineCalls["conference.schedule"]["params"],
  options: EngineOptions,
  maker: Maker,
): Promise<ScheduledConference> {
  const { opensAtMs, durationMs } = params
  assertSchedule(opensAtMs, durationMs, Date.now())
  assertHasModules(options, params)
  return makeConference({ ...params, startsAtMs: opensAtMs }, maker, (invitation, bytes) =>
    keep(options, maker.identity, invitation, bytes, opensAtMs, durationMs),
  )
}

/** Makes a conference for the list of a directory, without entering it. The caller sends the creation to the server. @throws KeymootError `invalid-argument` */
export async function listConference(
  params: EngineCalls["directory.create"]["params"],
  options: EngineOptions,
  maker: Maker,
): Promise<EngineCalls["directory.create"]["result"]> {
  const { durationMs } = params
  const nowMs = Date.now()
  const opensAtMs = params.opensAtMs ?? nowMs
  if (params.admission.policy !== "roster") {
    throw new KeymootError(
      "invalid-argument",
      'Only people on a roster can be notified. Pass admission { policy: "roster" }.',
    )
  }
  if (params.opensAtMs !== null) assertSchedule(opensAtMs, durationMs, nowMs)
  assertHasModules(options, params)
  const leewayMs = params.opensAtMs === null ? CLOCKS_BEHIND_MS : 0
  const { invitation, creation } = await newConference({ ...params, startsAtMs: opensAtMs, leewayMs }, maker)
  const { startsAtMs, endsAtMs, admission } = (await publicPartOf(creation.descriptor, maker.checker))!
  const members = admission.policy === "roster" ? admission.fingerprints.map(bytesToHex) : []
  const scheduled = await keep(options, maker.identity, invitation, creation.descriptor, opensAtMs, durationMs)
  return { scheduled, creation: { ...creation, roster: { members, startsAtMs, endsAtMs } } }
}

/** Stores the invitation, so that the creator can enter the conference by its id. */
async function keep(
  { store }: EngineOptions,
  { name, id }: OwnIdentity,
  invitation: Invitation,
  descriptor: Uint8Array,
  opensAtMs: number,
  durationMs: number,
): Promise<ScheduledConference> {
  await ConferenceRecord.open(store, invitation, descriptor, { name, identity: id })
  const endsAtMs = opensAtMs + durationMs
  const timeFrame = { opensAtMs, endsAtMs, latestEndMs: endsAtMs + EXTENSION_MS_MAX }
  return { id: invitation.conferenceId, invitation: { url: formatInvitation(invitation) }, timeFrame }
}
