/** A process that stores conferences and participants as fast as it can, until it is killed, and says what is acknowledged. */
import { createHash, randomBytes } from "node:crypto"
import { openSqliteStore } from "../../src/store/sql-store.ts"

const WRITERS = 32

const [directory = ""] = process.argv.slice(2)
const store = await openSqliteStore(directory, { conferencesMax: 1e6, participantsMax: 1e6 })
const digest = (text: string) => createHash("sha256").update(text).digest("hex")

async function write(): Promise<never> {
  for (;;) {
    const id = randomBytes(16).toString("hex")
    const bytes = Buffer.from(id)
    const roster = { members: [digest(id)], startsAtMs: 1, endsAtMs: 2, creator: digest("creator") }
    await store.createConference({ id, descriptor: bytes, expiresAtMs: 3, roster })
    process.stdout.write(`conference ${id}\n`)
    const participant = { fingerprint: digest(id), identity: digest(id), name: id, certificate: bytes }
    await store.addParticipant({ ...participant, notBeforeMs: 0, expiresAtMs: 3 }, 0)
    process.stdout.write(`participant ${id}\n`)
  }
}

await Promise.all(Array.from({ length: WRITERS }, write))
