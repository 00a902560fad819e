import { PAGE_ENTRIES_MAX } from "@keymoot/transport/signaling-protocol"
import type { Query, Rows } from "./bounds.ts"
import type { ConferencePosition, FoundConference, ListedConference, Page, StoredConference } from "./store.ts"

/** Must run in one transaction: a conference without its roster could never get it later. */
export async function createConference(
  query: Query,
  conference: StoredConference,
  rows: Rows,
): Promise<"created" | "exists" | "full"> {
  if (await rows.isFull(query)) return "full"
  const outcome = await insertConference(query, conference)
  if (outcome === "created") {
    rows.added()
    await insertRoster(query, conference)
  }
  return outcome
}

async function insertConference(query: Query, conference: StoredConference) {
  const { id, descriptor, expiresAtMs, verifier, creatorKey } = conference
  const result = await query
    .insertInto("conference")
    .values({
      id,
      descriptor,
      expires_at_ms: expiresAtMs,
      room_verifier: verifier ?? null,
      creator_key: creatorKey ?? null,
      announced_end: null,
      announced_at_ms: null,
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n ? "created" : "exists"
}

async function insertRoster(query: Query, { id, roster }: StoredConference): Promise<void> {
  if (roster === undefined) return
  const { creator, startsAtMs, endsAtMs } = roster
  const rows = roster.members.map((member) => ({
    conference_id: id,
    member,
    creator,
    starts_at_ms: startsAtMs,
    ends_at_ms: endsAtMs,
  }))
  await query.insertInto("roster").values(rows).execute()
}

export async function findConference(query: Query, id: string, nowMs: number): Promise<FoundConference | undefined> {
  const row = await present(query, id, nowMs).select(["descriptor", "announced_end"]).executeTakeFirst()
  if (row === undefined) return undefined
  const descriptor = new Uint8Array(row.descriptor)
  return row.announced_end === null ? { descriptor } : { descriptor, end: new Uint8Array(row.announced_end) }
}

export async function findKey(
  query: Query,
  column: "room_verifier" | "creator_key",
  id: string,
  nowMs: number,
): Promise<Uint8Array | null | undefined> {
  const row = await present(query, id, nowMs).select(`${column} as key`).executeTakeFirst()
  return row && (row.key === null ? null : new Uint8Array(row.key))
}

function present(query: Query, id: string, nowMs: number) {
  return query.selectFrom("conference").where("id", "=", id).where("expires_at_ms", ">", nowMs)
}

/** The condition is part of the update, so that of two processes the later announcement wins. */
export async function setEnd(
  query: Query,
  id: string,
  end: Uint8Array,
  saidAtMs: number,
): Promise<"set" | "superseded"> {
  const result = await query
    .updateTable("conference")
    .set({ announced_end: end, announced_at_ms: saidAtMs })
    .where("id", "=", id)
    .where(({ eb, or }) =>
      or([eb("announced_at_ms", "is", null), eb("announced_at_ms", "<", saidAtMs), eb("announced_end", "=", end)]),
    )
    .executeTakeFirst()
  return result.numUpdatedRows === 1n ? "set" : "superseded"
}

export async function listConferences(
  query: Query,
  member: string,
  nowMs: number,
  after: ConferencePosition | undefined,
): Promise<Page<ListedConference>> {
  const { startsAtMs, id } = after ?? { startsAtMs: -1, id: "" }
  const rows = await query
    .selectFrom("roster")
    .select(["conference_id", "starts_at_ms", "ends_at_ms", "creator"])
    .where("member", "=", member)
    .where("ends_at_ms", ">", nowMs)
    .where(({ eb, and, or }) =>
      or([
        eb("starts_at_ms", ">", startsAtMs),
        and([eb("starts_at_ms", "=", startsAtMs), eb("conference_id", ">", id)]),
      ]),
    )
    .orderBy("starts_at_ms")
    .orderBy("conference_id")
    .limit(PAGE_ENTRIES_MAX + 1)
    .execute()
  const entries = rows.slice(0, PAGE_ENTRIES_MAX).map((row) => ({
    id: row.conference_id,
    startsAtMs: row.starts_at_ms,
    endsAtMs: row.ends_at_ms,
    creator: row.creator,
  }))
  return { entries, more: rows.length > PAGE_ENTRIES_MAX }
}
