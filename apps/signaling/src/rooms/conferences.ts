import {
  conferenceIdOf,
  CONFERENCE_LIFETIME_MS_MAX,
  decodeAnnouncedEnd,
  descriptorHashOf,
  endSigningBytes,
  type Request,
} from "@keymoot/transport/signaling-protocol"
import { type Handlers, refuse } from "../connection.ts"
import { positionOf, positionText } from "./cursor.ts"
import { badCursor, notProved, provedFingerprint } from "./participants.ts"
import { conferenceCost, endCost, type StorageQuota, storedShare } from "../bounds/storage-quota.ts"
import type { Store } from "../store/store.ts"
import { isSigned } from "./signature.ts"

type ConferenceRequest = "conference:create" | "conference:get" | "conference:end" | "conference:list"

/** The directory of conferences: opaque descriptors by id, and the members of each roster. */
export function conferenceHandlers(store: Store, mayStore: StorageQuota): Pick<Handlers, ConferenceRequest> {
  return {
    "conference:create": async (connection, request) => {
      const { id, descriptor, expiresAtMs, verifier, creatorKey } = request
      // Without this check anybody could occupy the id of another conference, or take it over after its expiry.
      if (id !== conferenceIdOf(descriptorHashOf(descriptor))) {
        return refuse("bad-request", "The id does not belong to this descriptor.")
      }
      const objection = timesObjection(request, Date.now())
      if (objection !== undefined) return refuse("bad-request", objection)
      // A creator that adds conferences to other participants' lists must prove its certificate.
      const creator = provedFingerprint(connection)
      if (request.roster !== undefined && creator === undefined) return notProved
      if (!mayStore(connection, conferenceCost(request))) return storedShare
      const roster = request.roster && creator !== undefined ? { roster: { ...request.roster, creator } } : {}
      const outcome = await store.createConference({
        id,
        descriptor,
        expiresAtMs,
        ...(verifier && { verifier }),
        ...(creatorKey && { creatorKey }),
        ...roster,
      })
      if (outcome === "exists") return refuse("conference-exists", "This conference exists already.")
      if (outcome === "full") return refuse("storage-full", "The server can store no more conferences now.")
      return { ok: true }
    },

    "conference:get": async (_connection, { id }) => {
      const conference = await store.findConference(id, Date.now())
      if (conference === undefined) return unknown
      const { descriptor, end } = conference
      return { ok: true, descriptor, ...(end && { end: Buffer.from(end).toString("hex") }) }
    },

    "conference:end": async (connection, { id, end }) => {
      const decoded = decodeAnnouncedEnd(end)
      if (decoded === null) return refuse("bad-request", "The end is not well formed.")
      const { times, signature } = decoded
      const creatorKey = await store.findCreatorKey(id, Date.now())
      if (creatorKey === undefined) return unknown
      // Without this check anybody could put an end in the place of the creator's.
      if (creatorKey === null || !isSigned(creatorKey, endSigningBytes(id, times), signature)) {
        return refuse("bad-proof", "The creator of this conference has not signed this end.")
      }
      if (!mayStore(connection, endCost())) return storedShare
      const outcome = await store.setEnd(id, end, times.saidAtMs)
      if (outcome === "superseded") return refuse("superseded", "The creator has announced an end later than this one.")
      return { ok: true }
    },

    "conference:list": async (connection, { after }) => {
      const member = provedFingerprint(connection)
      if (member === undefined) return notProved
      const position = after === undefined ? undefined : positionOf(after, CONFERENCE_POSITION)
      if (position === null) return badCursor
      const from = position && { startsAtMs: Number(position[0]), id: position[1] }
      const { entries, more } = await store.listConferences(member, Date.now(), from)
      const last = more ? entries.at(-1) : undefined
      return {
        ok: true,
        entries: [...entries],
        ...(last === undefined ? {} : { next: positionText(last.startsAtMs, last.id) }),
      }
    },
  }
}

const unknown = refuse("unknown-conference", "The server knows no such conference.")

const CONFERENCE_POSITION = /^(\d{1,15})\.([0-9a-f]{32})$/u

function timesObjection({ expiresAtMs, roster }: Request<"conference:create">, nowMs: number): string | undefined {
  if (expiresAtMs <= nowMs) return "The expiry is in the past by the server's clock."
  if (expiresAtMs > nowMs + CONFERENCE_LIFETIME_MS_MAX) return "The expiry is too far ahead."
  if (roster === undefined) return undefined
  const inOrder = roster.startsAtMs < roster.endsAtMs && roster.endsAtMs <= expiresAtMs
  return inOrder ? undefined : "The conference must start before it ends, and not end after the expiry."
}
