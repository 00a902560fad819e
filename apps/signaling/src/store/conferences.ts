import { PAGE_ENTRIES_MAX } from "@keymoot/transport/signaling-protocol"
import type { Query, Rows } from "./bounds.ts"
import type { ConferencePosition, ListedConference, Page, StoredConference } from "./store.ts"

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

async function insertConference(query: Query, { id, descriptor, expiresAtMs, verifier }: StoredConference) {
  const result = await query
    .insertInto("conference")
    .values({ id, descriptor, expires_at_ms: expiresAtMs, room_verifier: verifier ?? null })
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

export async function findDescriptor(query: Query, id: string, nowMs: number): Promise<Uint8Array | undefined> {
  const row = await query
    .selectFrom("conference")
    .select("descriptor")
    .where("id", "=", id)
    .where("expires_at_ms", ">", nowMs)
    .executeTakeFirst()
  return row && new Uint8Array(row.descriptor)
}

export async function findVerifier(query: Query, id: string, nowMs: number): Promise<Uint8Array | null | undefined> {
  const row = await query
    .selectFrom("conference")
    .select("room_verifier")
    .where("id", "=", id)
    .where("expires_at_ms", ">", nowMs)
    .executeTakeFirst()
  return row && (row.room_verifier === null ? null : new Uint8Array(row.room_verifier))
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
