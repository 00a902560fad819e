import { PAGE_ENTRIES_MAX } from "@keymoot/transport/signaling-protocol"
import type { Query, Rows } from "./bounds.ts"
import type { ListedParticipant, Page, StoredParticipant } from "./store.ts"

/** Sorts after every text with the prefix before it, in UTF-8 order. */
const LAST_CHARACTER = "\u{10FFFF}"

export async function addParticipant(
  query: Query,
  participant: StoredParticipant,
  nowMs: number,
  rows: Rows,
): Promise<"added" | "superseded" | "full"> {
  const { identity, fingerprint } = participant
  const former = await query
    .selectFrom("participant")
    .select("fingerprint")
    .where("identity", "=", identity)
    .executeTakeFirst()
  if (former === undefined && (await rows.isFull(query))) return "full"
  const fields = {
    fingerprint,
    name: participant.name,
    name_key: nameKey(participant.name),
    certificate: participant.certificate,
    not_before_ms: participant.notBeforeMs,
    expires_at_ms: participant.expiresAtMs,
  }
  // One statement: if two clients add at the same time, the later certificate stays, in whichever order they arrive.
  const result = await query
    .insertInto("participant")
    .values({ identity, ...fields })
    .onConflict((conflict) =>
      conflict
        .column("identity")
        .doUpdateSet(fields)
        .where(({ eb, or }) =>
          or([
            eb("participant.not_before_ms", "<", participant.notBeforeMs),
            eb("participant.expires_at_ms", "<=", nowMs),
            eb("participant.fingerprint", "=", fingerprint),
          ]),
        ),
    )
    .executeTakeFirst()
  if (result.numInsertedOrUpdatedRows !== 1n) return "superseded"
  if (former === undefined) rows.added()
  return "added"
}

export async function removeParticipant(query: Query, identity: string, rows: Rows): Promise<void> {
  const { numDeletedRows } = await query
    .deleteFrom("participant")
    .where("identity", "=", identity)
    .executeTakeFirstOrThrow()
  if (numDeletedRows > 0n) rows.removed()
}

export async function findCertificate(
  query: Query,
  fingerprint: string,
  nowMs: number,
): Promise<Uint8Array | undefined> {
  const row = await query
    .selectFrom("participant")
    .select("certificate")
    .where("fingerprint", "=", fingerprint)
    .where("expires_at_ms", ">", nowMs)
    .executeTakeFirst()
  return row && new Uint8Array(row.certificate)
}

export async function listParticipants(
  query: Query,
  prefix: string,
  nowMs: number,
  after: ListedParticipant | undefined,
): Promise<Page<ListedParticipant>> {
  const first = nameKey(prefix)
  const former = { key: after === undefined ? "" : nameKey(after.name), fingerprint: after?.fingerprint ?? "" }
  const entries = await query
    .selectFrom("participant")
    .select(["fingerprint", "name"])
    .where("name_key", ">=", first)
    .where("name_key", "<", first + LAST_CHARACTER)
    .where("expires_at_ms", ">", nowMs)
    .where(({ eb, and, or }) =>
      or([
        eb("name_key", ">", former.key),
        and([eb("name_key", "=", former.key), eb("fingerprint", ">", former.fingerprint)]),
      ]),
    )
    .orderBy("name_key")
    .orderBy("fingerprint")
    .limit(PAGE_ENTRIES_MAX + 1)
    .execute()
  return { entries: entries.slice(0, PAGE_ENTRIES_MAX), more: entries.length > PAGE_ENTRIES_MAX }
}

/** Computed here, not in SQL: the databases differ in their rules for lower case. */
function nameKey(name: string): string {
  return name.normalize("NFKC").toLowerCase()
}
