import { encodeLinkMessage, Mesh, type Signer } from "@keymoot/transport"
import { afterEach, expect, test, vi } from "vitest"
import type { Conference } from "../../../src/client/conference.ts"
import { UNOPENED_MAX } from "../../../src/client/parts.ts"
import { BatchAcknowledger } from "../../../src/client/connection/engine-connection.ts"
import { encodeNotice } from "../../../src/admission/statements/notice.ts"
import { signStatement } from "../../../src/admission/statements/statement.ts"
import { StatementSet } from "../../../src/admission/statements/statement-set.ts"
import { NOTICE_BYTES_BURST, NOTICES_BURST } from "../../../src/admission/admission-driver.ts"
import { LogKeeper } from "../../../src/content/log-keeper.ts"
import { PAGE_BATCHES_MAX, PageWindow, REPORTS_BURST } from "../../../src/runtime/page.ts"
import { Room, securedWith } from "../harness.ts"

let room = new Room()
afterEach(async () => {
  vi.restoreAllMocks()
  await room.close()
  room = new Room()
})

const WAIT = { timeout: 60_000 }
async function meeting(...names: string[]): Promise<Conference[]> {
  const [first, ...others] = names
  const here = [await room.create(first!)]
  for (const name of others) here.push(await room.join(name, here[0]!.invitation.url))
  await Promise.all(here.map((conference) => securedWith(conference, names.length)))
  return here
}

test("shows a page no more of a flood than it answers, and all that others draw", async () => {
  const [ada, bob, mallory] = (await meeting("Ada", "Bob", "Mallory")) as [Conference, Conference, Conference]
  const views: string[] = []
  ada.on("view", ({ id }) => void views.push(id))
  const [epoch] = views.splice(0)
  // The pages of the others are busy with what Mallory sent, and answer nothing of it.
  const unanswered: (() => void)[] = []
  const end = BatchAcknowledger.prototype.end
  vi.spyOn(BatchAcknowledger.prototype, "end").mockImplementation(function (this: BatchAcknowledger, id, from, bytes) {
    const answer = (): void => end.call(this, id, from, bytes)
    if (from !== mallory.self.id) return answer()
    unanswered.push(() => {
      this.begin()
      answer()
    })
  })
  const told = vi.spyOn(PageWindow.prototype, "sent")
  const ofMallory = (): number => told.mock.calls.filter(([sender]) => sender === mallory.self.id).length

  const { doc } = mallory.document("board")
  for (let i = 0; i < 10 * PAGE_BATCHES_MAX; i++) {
    doc.getMap("elements").set(`${i}`, i)
    // A batch of its own.
    await new Promise((done) => setTimeout(done, 2))
  }
  // At two others.
  await expect.poll(ofMallory, WAIT).toBe(2 * PAGE_BATCHES_MAX)
  bob.document("board").doc.getMap("elements").set("a stroke", 1)
  await expect.poll(() => ada.document("board").doc.getMap("elements").has("a stroke"), WAIT).toBe(true)
  expect(ofMallory()).toBe(2 * PAGE_BATCHES_MAX)

  // Nothing is lost once the pages have time again.
  vi.mocked(BatchAcknowledger.prototype.end).mockRestore()
  for (const answer of unanswered.splice(0)) answer()
  const size = (conference: Conference): number => conference.document("board").doc.getMap("elements").size
  await expect.poll(() => [ada, bob].map(size), WAIT).toEqual([1, 1].map(() => 10 * PAGE_BATCHES_MAX + 1))
  expect([epoch, ...views]).toEqual([epoch])
})

test("keeps what comes for so many channels when a member speaks on ten times as many", async () => {
  const [ada, mallory] = (await meeting("Ada", "Mallory")) as [Conference, Conference]
  // Ada has opened it before, and what comes on it stands behind all the others.
  const last = new Promise((resolve) => ada.channel("chat").on("message", resolve))
  const names = Array.from({ length: 10 * UNOPENED_MAX }, (_, i) => `channel ${i}`)
  await Promise.all(names.map((name) => mallory.channel(name).send("x")))
  await mallory.channel("chat").send("last")
  await last
  let kept = 0
  for (const name of names) ada.channel(name).on("message", () => kept++)
  expect(kept).toBe(UNOPENED_MAX)
})

test("keeps a chat that a page opens late when a member begins many channels there", async () => {
  const [ada, bob, eve] = (await meeting("Ada", "Bob", "Eve")) as [Conference, Conference, Conference]
  const after = new Promise((resolve) => bob.channel("open").on("message", resolve))
  const targets = [bob.self.id]
  for (let i = 0; i < UNOPENED_MAX; i++) await eve.channel(`junk ${i}`).send("", { targets })
  await ada.channel("chat", { history: true }).send("the important one")
  await ada.channel("open").send("after it")
  await after
  expect(bob.channel("chat", { history: true }).log().getSnapshot()).toMatchObject([{ text: "the important one" }])
})

test("keeps what comes for a channel that is not open yet, however many others are", async () => {
  const [ada, bob] = (await meeting("Ada", "Bob")) as [Conference, Conference]
  for (let i = 0; i < UNOPENED_MAX; i++) ada.channel(`open ${i}`)
  const after = new Promise((resolve) => ada.channel("open 0").on("message", resolve))
  await bob.channel("late").send("early word")
  await bob.channel("open 0").send("after it")
  await after
  const texts: unknown[] = []
  ada.channel("late").on("message", ({ text }) => texts.push(text))
  expect(texts).toEqual(["early word"])
})

/** Ada, Bob that waits at her door, and his links. */
async function waiting() {
  const ada = await room.create("Ada", { admission: { policy: "approval" } })
  const told: string[] = []
  ada.on("security", ({ code, member }) => told.push(`${code} ${member}`))
  const all = new Set<Mesh>()
  const tick = Mesh.prototype.tick
  vi.spyOn(Mesh.prototype, "tick").mockImplementation(function (this: Mesh, nowMs) {
    all.add(this)
    tick.call(this, nowMs)
  })
  await expect.poll(() => all.size, WAIT).toBe(1)
  const [ofAda] = all
  const bob = await room.join("Bob", ada.invitation.url)
  await expect.poll(() => ada.admissionState.knocks.length, WAIT).toBe(1)
  await expect.poll(() => all.size, WAIT).toBe(2)
  const ofBob = [...all].find((mesh) => mesh !== ofAda)!
  return { ada, bob, ofBob, told }
}

test("checks so many notices of a waiting person when it sends ten times as many", async () => {
  const { ada, bob, ofBob, told } = await waiting()
  const merge = vi.spyOn(StatementSet.prototype, "merge")
  const notice = encodeNotice({ type: "statements", statements: [], vouch: null })
  const bytes = encodeLinkMessage({ type: "outOfGroup", bytes: notice })
  for (let i = 0; i < 10 * NOTICES_BURST; i++) ofBob.send(ada.self.id, bytes)
  await expect.poll(() => told, WAIT).toContain(`flooding ${bob.self.id}`)
  expect(ada.admissionState.knocks).toHaveLength(1)
  const refused = new Promise((resolve) => bob.on("closed", resolve))
  await ada.refuse(bob.self.id)
  expect(await refused).toBe("refused")
  expect(merge.mock.calls.length).toBeGreaterThan(0)
  // Twice the burst, because one second refills it. Bob checks what Ada sends.
  expect(merge.mock.calls.length).toBeLessThan(2 * NOTICES_BURST)
})

test("checks so many bytes of notices when a waiting person sends ten times as many", async () => {
  const { ada, bob, ofBob, told } = await waiting()
  const none = "0".repeat(64)
  // The issuer is no host, so no signature is checked.
  const statement = { issuer: "ab".repeat(32), office: none, number: 1, previous: none } as const
  const scope = { conferenceId: new Uint8Array(16), descriptorHash: new Uint8Array(32) }
  const signer = { sign: async () => new Uint8Array(64) } as unknown as Signer
  const statements: Uint8Array[] = []
  for (let i = 0; i < 1000; i++) {
    const heard = `${i}`.padStart(64, "0")
    const made = await signStatement(signer, scope, { ...statement, heard, body: { type: "end", endsAtMs: 1 } })
    statements.push(made.bytes)
  }
  const read = vi.spyOn(StatementSet.prototype, "merge")
  const bytes = encodeLinkMessage({
    type: "outOfGroup",
    bytes: encodeNotice({ type: "statements", statements, vouch: null }),
  })
  for (let sent = 0; sent < 10 * NOTICE_BYTES_BURST; sent += bytes.length) {
    ofBob.send(ada.self.id, bytes)
    // Ada's queue has no room for all of them at once.
    await new Promise((done) => setTimeout(done, 5))
  }
  await expect.poll(() => told, WAIT).toContain(`flooding ${bob.self.id}`)
  const full = read.mock.calls.filter(([list]) => list.length === statements.length)
  expect(full.length).toBeGreaterThan(0)
  // Each second refills a sixteenth of the burst.
  expect(full.length).toBeLessThan((5 * NOTICE_BYTES_BURST) / bytes.length)
})

test("reports at most the bound of a member's faults when it commits ten times more", async () => {
  const [ada, mallory] = (await meeting("Ada", "Mallory")) as [Conference, Conference]
  const told: string[] = []
  ada.on("security", ({ code }) => void told.push(code))
  const texts: string[] = []
  ada.channel("chat", { history: true }).on("message", ({ text }) => texts.push(text))
  // Ordered as no item of a history may be, and signed by nobody.
  const author = vi.spyOn(LogKeeper.prototype, "author").mockResolvedValue(new Uint8Array(1))
  const channel = mallory.channel("chat", { history: true })
  for (let i = 0; i < 10 * REPORTS_BURST; i++) void channel.send("x").catch(() => undefined)
  await expect.poll(() => author.mock.calls.length, WAIT).toBe(10 * REPORTS_BURST)
  vi.restoreAllMocks()
  await mallory.channel("chat", { history: true }).send("afterwards")
  // The faults reach Ada before it.
  await expect.poll(() => texts, WAIT).toEqual(["afterwards"])
  expect(told.length).toBeGreaterThan(0)
  expect(told.length).toBeLessThanOrEqual(REPORTS_BURST + 60)
  expect(new Set(told)).toEqual(new Set(["invalid-content"]))
})
