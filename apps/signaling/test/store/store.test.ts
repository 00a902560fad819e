import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { PAGE_ENTRIES_MAX } from "@keymoot/transport/signaling-protocol"
import { sql } from "kysely"
import { Kysely, PostgresDialect, SqliteDialect } from "kysely"
import { describe, expect, onTestFinished, test } from "vitest"
import { openNodeSqlite } from "../../src/store/node-sqlite.ts"
import { openPostgresPool } from "../../src/store/postgres-pool.ts"
import { openSqliteStore } from "../../src/store/sql-store.ts"
import type { Store, StoreBounds } from "../../src/store/store.ts"
import { bytesOf, freshHex } from "../clients.ts"
import { freshDirectory } from "../files.ts"
import { BOUNDS, type Database, databases } from "../stores.ts"

const freshFingerprint = () => randomBytes(32).toString("hex")

const conference = (id: string, text = "descriptor", expiresAtMs = 1_000) => ({
  id,
  descriptor: bytesOf(text),
  expiresAtMs,
})

const participant = (name: string, fields: { identity?: string; notBeforeMs?: number; expiresAtMs?: number } = {}) => ({
  fingerprint: freshFingerprint(),
  identity: freshFingerprint(),
  name,
  certificate: bytesOf(`certificate of ${name}`),
  notBeforeMs: 0,
  expiresAtMs: 1_000,
  ...fields,
})

async function opened(database: Database, bounds: Partial<StoreBounds> = {}): Promise<Store> {
  const store = await database.open(bounds)
  onTestFinished(() => store.close())
  return store
}

const kinds = databases()

for (const kind of kinds) {
  describe(`the store on ${kind.name}`, () => {
    test("gives back what was stored before it was closed and opened again", async () => {
      const database = kind.fresh()
      const before = await database.open()
      const [id, ada] = [freshHex(), participant("Ada")]
      const verifier = new Uint8Array(32).fill(7)
      expect(await before.createConference({ ...conference(id, "kept"), verifier })).toBe("created")
      expect(await before.addParticipant(ada, 0)).toBe("added")
      await before.close()

      const after = await opened(database)
      expect(await after.findVerifier(id, 0)).toEqual(verifier)
      expect(await after.findConference(id, 0)).toEqual({ descriptor: bytesOf("kept") })
      expect(await after.findCertificate(ada.fingerprint, 0)).toEqual(ada.certificate)
    })

    test("keeps every byte value of a descriptor", async () => {
      const store = await opened(kind.fresh())
      const descriptor = Uint8Array.from({ length: 256 }, (_, value) => value)
      const id = freshHex()
      await store.createConference({ id, descriptor, expiresAtMs: 1 })
      expect(await store.findConference(id, 0)).toEqual({ descriptor })
    })

    test("keeps the latest announced end until the conference is purged", async () => {
      const database = kind.fresh()
      const before = await database.open()
      const [id, creatorKey] = [freshHex(), new Uint8Array(32).fill(9)]
      await before.createConference({ ...conference(id, "kept", 100), creatorKey })
      const [first, second] = [new Uint8Array(80).fill(1), new Uint8Array(80).fill(2)]
      expect(await before.setEnd(id, second, 20)).toBe("set")
      expect(await before.setEnd(id, second, 20)).toBe("set")
      expect(await before.setEnd(id, first, 10)).toBe("superseded")
      expect(await before.setEnd(id, first, 20)).toBe("superseded")
      await before.close()

      const after = await opened(database)
      expect(await after.findCreatorKey(id, 0)).toEqual(creatorKey)
      expect(await after.findConference(id, 0)).toEqual({ descriptor: bytesOf("kept"), end: second })
      expect(await after.findConference(id, 100)).toBeUndefined()
      await after.purgeExpired(200, 0)
      expect(await after.findConference(id, 0)).toBeUndefined()
    })

    test("takes an id once, even for the same descriptor, and keeps the first", async () => {
      const store = await opened(kind.fresh())
      const id = freshHex()
      await store.createConference(conference(id, "first"))
      expect(await store.createConference(conference(id, "first"))).toBe("exists")
      expect(await store.createConference(conference(id, "second"))).toBe("exists")
      expect(await store.findConference(id, 0)).toEqual({ descriptor: bytesOf("first") })
    })

    test("gives an id to one of two who create it at the same time", async () => {
      const store = await opened(kind.fresh())
      const id = freshHex()
      const roster = { members: [freshFingerprint()], startsAtMs: 1, endsAtMs: 2, creator: freshFingerprint() }
      const outcomes = await Promise.all([
        store.createConference(conference(id, "one")),
        store.createConference({ ...conference(id, "two"), roster }),
      ])
      expect(outcomes.toSorted()).toEqual(["created", "exists"])
      const listed = await store.listConferences(roster.members[0]!, 0)
      expect(listed.entries.length).toBe(outcomes[1] === "created" ? 1 : 0)
    })

    test("deletes expired rows when the table is full", async () => {
      const store = await opened(kind.fresh(), { conferencesMax: 2, participantsMax: 2 })
      const [short, long] = [freshHex(), freshHex()]
      const [ada, bob] = [participant("Ada", { expiresAtMs: 100 }), participant("Bob", { expiresAtMs: 200 })]
      const member = freshFingerprint()
      const roster = { members: [member], startsAtMs: 1, endsAtMs: 100, creator: freshFingerprint() }
      await store.createConference({ ...conference(short, "short", 100), roster })
      await store.createConference(conference(long, "long", 200))
      for (const one of [ada, bob]) expect(await store.addParticipant(one, 0)).toBe("added")

      expect(await store.findConference(short, 99)).toEqual({ descriptor: bytesOf("short") })
      expect(await store.findConference(short, 100)).toBeUndefined()
      expect([await store.findVerifier(short, 99), await store.findVerifier(short, 100)]).toEqual([null, undefined])
      expect((await store.listConferences(member, 99)).entries.length).toBe(1)
      expect((await store.listConferences(member, 100)).entries.length).toBe(0)
      expect(await store.findCertificate(ada.fingerprint, 99)).toEqual(ada.certificate)
      expect(await store.findCertificate(ada.fingerprint, 100)).toBeUndefined()
      expect((await store.listParticipants("a", 100)).entries).toEqual([])
      expect(await store.createConference(conference(freshHex()))).toBe("full")
      expect(await store.addParticipant(participant("Carol"), 0)).toBe("full")

      expect(await store.purgeExpired(100, 50)).toBe(2)
      expect(await store.purgeExpired(100, 50)).toBe(0)
      expect((await store.listConferences(member, 0)).entries.length).toBe(0)
      expect(await store.findConference(long, 100)).toEqual({ descriptor: bytesOf("long") })
      expect(await store.findCertificate(bob.fingerprint, 100)).toEqual(bob.certificate)
      expect(await store.createConference(conference(freshHex()))).toBe("created")
      expect(await store.addParticipant(participant("Carol"), 100)).toBe("added")
    })

    test("keeps expired rows for the grace period when the clock jumps forward", async () => {
      const store = await opened(kind.fresh(), { conferencesMax: 3, participantsMax: 3 })
      const [id, ada] = [freshHex(), participant("Ada", { expiresAtMs: 100 })]
      await store.createConference(conference(id, "kept", 100))
      await store.addParticipant(ada, 0)

      expect(await store.purgeExpired(149, 50)).toBe(0)
      expect(await store.findConference(id, 149)).toBeUndefined()
      // The clock is right again.
      expect(await store.findConference(id, 99)).toEqual({ descriptor: bytesOf("kept") })
      expect(await store.findCertificate(ada.fingerprint, 99)).toEqual(ada.certificate)
      expect(await store.purgeExpired(150, 50)).toBe(2)
      expect(await store.findConference(id, 99)).toBeUndefined()
    })

    test("lists only a member's own conferences, by start time, page by page", async () => {
      const store = await opened(kind.fresh())
      const [me, other, creator] = [freshFingerprint(), freshFingerprint(), freshFingerprint()]
      const ids: string[] = []
      const count = PAGE_ENTRIES_MAX + 10
      for (let number = 0; number < count; number++) {
        const id = freshHex()
        ids.push(id)
        // Two at a time begin at once; they are created in the opposite order.
        const startsAtMs = 1_000 - Math.floor(number / 2)
        const roster = { members: [me, other], startsAtMs, endsAtMs: 2_000, creator }
        await store.createConference({ ...conference(id, "x", 3_000), roster })
      }
      await store.createConference({
        ...conference(freshHex(), "x", 3_000),
        roster: { members: [other], startsAtMs: 1, endsAtMs: 2_000, creator },
      })
      const first = await store.listConferences(me, 0)
      expect([first.entries.length, first.more]).toEqual([PAGE_ENTRIES_MAX, true])
      const second = await store.listConferences(me, 0, first.entries.at(-1))
      expect([second.entries.length, second.more]).toEqual([10, false])
      const listed = [...first.entries, ...second.entries]
      expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(ids))
      expect(listed.map(({ startsAtMs }) => startsAtMs)).toEqual(
        listed.map(({ startsAtMs }) => startsAtMs).toSorted((one, two) => one - two),
      )
      expect(listed[0]).toMatchObject({ endsAtMs: 2_000, creator })
      expect(await store.listConferences(freshFingerprint(), 0)).toEqual({ entries: [], more: false })
    })

    test("finds names by their beginning in any case, the same in every database", async () => {
      const store = await opened(kind.fresh())
      const names = ["Ada", "ada 2", "Äda", "ADAM", "Bob", "a%", "a_", "😀da", "Zoë", "ﬁ", "a'; drop table participant"]
      for (const name of names) await store.addParticipant(participant(name), 0)
      const find = async (prefix: string) => (await store.listParticipants(prefix, 0)).entries.map(({ name }) => name)
      expect(await find("ada")).toEqual(["Ada", "ada 2", "ADAM"])
      expect(await find("ä")).toEqual(["Äda"])
      expect(await find("ZO")).toEqual(["Zoë"])
      expect(await find("😀")).toEqual(["😀da"])
      expect(await find("FI")).toEqual(["ﬁ"])
      expect(await find("%")).toEqual([])
      expect(await find("a")).toEqual(["a%", "a'; drop table participant", "a_", "Ada", "ada 2", "ADAM"])
    })

    test("lists those of one name page by page", async () => {
      const store = await opened(kind.fresh())
      const everybody = Array.from({ length: PAGE_ENTRIES_MAX + 5 }, () => participant("Ada"))
      for (const one of everybody) await store.addParticipant(one, 0)
      const first = await store.listParticipants("ada", 0)
      const second = await store.listParticipants("ada", 0, first.entries.at(-1))
      expect([first.more, second.more]).toEqual([true, false])
      const fingerprints = [...first.entries, ...second.entries].map(({ fingerprint }) => fingerprint)
      expect(new Set(fingerprints)).toEqual(new Set(everybody.map(({ fingerprint }) => fingerprint)))
      expect(fingerprints.length).toBe(everybody.length)
    })

    test("keeps an identity's later certificate, or any when the former has expired", async () => {
      const store = await opened(kind.fresh(), { participantsMax: 1 })
      const identity = freshFingerprint()
      const first = participant("Ada", { identity, notBeforeMs: 10, expiresAtMs: 500 })
      expect(await store.addParticipant(first, 0)).toBe("added")
      expect(await store.addParticipant(first, 0)).toBe("added")
      for (const notBeforeMs of [9, 10]) {
        expect(await store.addParticipant(participant("Eva", { identity, notBeforeMs }), 0)).toBe("superseded")
      }
      const second = participant("Ada L.", { identity, notBeforeMs: 11, expiresAtMs: 500 })
      expect(await store.addParticipant(second, 0)).toBe("added")
      expect(await store.findCertificate(first.fingerprint, 0)).toBeUndefined()
      expect((await store.listParticipants("ada", 0)).entries.map(({ name }) => name)).toEqual(["Ada L."])
      expect(await store.addParticipant(first, 500)).toBe("added")
      expect(await store.addParticipant(participant("Bob"), 0)).toBe("full")
    })

    test("keeps the later of two certificates of an identity that are added at once", async () => {
      const store = await opened(kind.fresh())
      const identity = freshFingerprint()
      const all = Array.from({ length: 8 }, (_, notBeforeMs) => participant("Ada", { identity, notBeforeMs }))
      await Promise.all(all.map((one) => store.addParticipant(one, 0)))
      const { entries } = await store.listParticipants("ada", 0)
      expect(entries.map(({ fingerprint }) => fingerprint)).toEqual([all.at(-1)?.fingerprint])
    })

    test("refuses a database that a newer version has made, and says what to do", async () => {
      const database = kind.fresh()
      await (await database.open()).close()
      await execute(database, sql`insert into kysely_migration (name, timestamp) values ('0099-future', '2099')`)
      await expect(database.open()).rejects.toThrow(
        /newer version of Keymoot \(it has "0099-future"\): run that version/u,
      )
      await execute(database, sql`delete from kysely_migration where name = '0099-future'`)
      await opened(database)
    })

    test("brings a database of the first version along", async () => {
      const database = kind.fresh()
      await (await database.open()).close()
      for (const statement of [
        sql`drop table roster`,
        sql`drop table participant`,
        sql`alter table conference drop column room_verifier`,
        sql`alter table conference drop column creator_key`,
        sql`alter table conference drop column announced_end`,
        sql`alter table conference drop column announced_at_ms`,
        sql`delete from kysely_migration where name >= '0002'`,
      ]) {
        await execute(database, statement)
      }
      const id = freshHex()
      await execute(database, sql`insert into conference values (${id}, ${Buffer.from("old")}, 1000)`)
      const store = await opened(database)
      expect(await store.findConference(id, 0)).toEqual({ descriptor: bytesOf("old") })
      expect(await store.findVerifier(id, 0)).toBe(null)
      expect(await store.findCreatorKey(id, 0)).toBe(null)
      expect(await store.addParticipant(participant("Ada"), 0)).toBe("added")
    })
  })
}

test("a write to a full SQLite file fails with the error that says so", async () => {
  const file = openNodeSqlite(join(freshDirectory(), "keymoot.db"))
  const database = new Kysely<{ note: { text: string } }>({ dialect: new SqliteDialect({ database: file }) })
  onTestFinished(() => database.destroy())
  await sql`create table note (text text)`.execute(database)
  await sql`pragma max_page_count = 3`.execute(database)
  const write = (text: string) =>
    database.transaction().execute((transaction) => transaction.insertInto("note").values({ text }).execute())
  await expect(write("x".repeat(100_000))).rejects.toThrow("full")
  await write("x")
})

test("several who open one PostgreSQL at the same time migrate it once", async ({ skip }) => {
  const kind = kinds.find(({ name }) => name === "PostgreSQL")
  skip(kind === undefined, "PostgreSQL is not installed")
  const database = kind!.fresh()
  const stores = await Promise.all(Array.from({ length: 4 }, () => opened(database)))
  const id = freshHex()
  expect(await stores[0]!.createConference(conference(id))).toBe("created")
  expect(await stores[3]!.createConference(conference(id))).toBe("exists")
})

test("refuses a second process in one SQLite directory until the first has closed", async () => {
  const directory = freshDirectory()
  const first = await openSqliteStore(directory, BOUNDS)
  await expect(openSqliteStore(directory, BOUNDS)).rejects.toThrow(
    /Another Keymoot server uses .*DATA_DIR.*DATABASE_URL/u,
  )
  await first.close()
  await (await openSqliteStore(directory, BOUNDS)).close()
})

/** Behind the store's back. */
async function execute(database: Database, statement: ReturnType<typeof sql>): Promise<void> {
  const { dataDir, databaseUrl } = database.config
  const dialect =
    databaseUrl === undefined
      ? new SqliteDialect({ database: openNodeSqlite(`${dataDir}/keymoot.db`) })
      : new PostgresDialect({ pool: await openPostgresPool(databaseUrl, () => {}) })
  const direct = new Kysely({ dialect })
  await statement.execute(direct)
  await direct.destroy()
}
