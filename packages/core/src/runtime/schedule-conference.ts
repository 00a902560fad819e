/** Makes a conference without entering it: one that opens later, or one of the directory's list. */
import { bytesToHex } from "@noble/hashes/utils.js"
import { KeymootError, type ScheduledConference } from "../api/index.ts"
import { EXTENSION_MS_MAX, formatInvitation, type Invitation, publicPartOf } from "../conference/index.ts"
import { ConferenceRecord } from "../device/conference-record.ts"
import type { EngineCalls } from "../rpc/protocol.ts"
import type { EngineOptions } from "./engine.ts"
import { makeConference, type Maker, newConference } from "./make-conference.ts"
import { assertHasModules } from "./own-modules.ts"
import { assertSchedule, CLOCKS_BEHIND_MS } from "./time-frame.ts"

export async function scheduleConference(
  params: EngineCalls["conference.schedule"]["params"],
  options: EngineOptions,
  maker: Maker,
): Promise<ScheduledConference> {
  const { opensAtMs, durationMs } = params
  assertSchedule(opensAtMs, durationMs, Date.now())
  assertHasModules(options, params)
  return makeConference({ ...params, startsAtMs: opensAtMs }, maker, (invitation, bytes) =>
    keep(options, invitation, bytes, opensAtMs, durationMs),
  )
}

/** The caller sends the creation to the server. @throws KeymootError `invalid-argument` */
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
  const scheduled = await keep(options, invitation, creation.descriptor, opensAtMs, durationMs)
  return { scheduled, creation: { ...creation, roster: { members, startsAtMs, endsAtMs } } }
}

/** Stores the invitation, so that the creator can enter the conference by its id. */
async function keep(
  { store }: EngineOptions,
  invitation: Invitation,
  descriptor: Uint8Array,
  opensAtMs: number,
  durationMs: number,
): Promise<ScheduledConference> {
  await ConferenceRecord.open(store, invitation, descriptor)
  const endsAtMs = opensAtMs + durationMs
  const timeFrame = { opensAtMs, endsAtMs, latestEndMs: endsAtMs + EXTENSION_MS_MAX }
  return { id: invitation.conferenceId, invitation: { url: formatInvitation(invitation) }, timeFrame }
}
