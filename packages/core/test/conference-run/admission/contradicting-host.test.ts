/** Whole engines. One is a host whose program tells different members different things as said by it. */
import { encodeLinkMessage, Mesh, type MemberId } from "@keymoot/transport"
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import { afterEach, expect, test, vi } from "vitest"
import { HOST_STATEMENTS_MAX } from "../../../src/admission/statements/chains.ts"
import { decodeStatements, encodeStatements, StatementSet } from "../../../src/admission/statements/statement-set.ts"
import { encodeNotice } from "../../../src/admission/statements/notice.ts"
import { type SignedStatement, signStatement } from "../../../src/admission/statements/statement.ts"
import { Conference } from "../../../src/client/conference.ts"
import { createMemoryStore } from "../../../src/identity/memory-store.ts"
import { openIdentity } from "../../../src/identity/own-identity.ts"
import { Room, SERVER } from "../harness.ts"

let room = new Room()
afterEach(async () => {
  vi.restoreAllMocks()
  await room.close()
  room = new Room()
})

const WAIT = { timeout: 60_000 }
const PEOPLE = ["Tom", "Eve"] as const

/** All of these are in one secured view, and nobody else is. */
async function together(...conferences: readonly Conference[]): Promise<void> {
  const expected = conferences.map(({ self }) => self.name).toSorted()
  const views = (): Set<string> => new Set(conferences.map(({ view }) => `${view.status} ${view.id}`))
  const isOne = (): boolean => views().size === 1 && [...views()][0]!.startsWith("secured")
  const names = (): string[] => conferences[0]!.view.members.map(({ name }) => name).toSorted()
  await expect.poll(() => (isOne() ? names() : []), WAIT).toEqual(expected)
}

/** The statements of everybody here, and the links of each, as they come to be used. */
function watch() {
  const sets = new Set<StatementSet>()
  const links = new Map<Mesh, Set<MemberId>>()
  const { merge } = StatementSet.prototype
  let deaf: StatementSet | null = null
  vi.spyOn(StatementSet.prototype, "merge").mockImplementation(function (this: StatementSet, encoded) {
    if (this === deaf) return Promise.resolve({ changed: false, bad: false })
    sets.add(this)
    return merge.call(this, encoded)
  })
  const { send } = Mesh.prototype
  vi.spyOn(Mesh.prototype, "send").mockImplementation(function (this: Mesh, to, ...rest) {
    links.set(this, (links.get(this) ?? new Set()).add(to))
    return send.call(this, to, ...rest)
  })
  return {
    sets,
    linksOf: (self: MemberId) => [...links].find(([, to]) => to.size > 2 && !to.has(self))![0],
    /** It hears nothing more of what it or others say. */
    deafen: (set: StatementSet) => {
      deaf = set
      sets.delete(set)
    },
  }
}

test("convicts a host when partitions meet that got different statements of it", async () => {
  const { sets, linksOf, deafen } = watch()
  const ada = await room.create("Ada")
  const store = createMemoryStore()
  const bob = await Conference.join({ url: ada.invitation.url, identity: await room.identity("Bob", store) })
  const [tom, eve] = [await room.join("Tom", ada.invitation.url), await room.join("Eve", ada.invitation.url)]
  await together(ada, bob, tom, eve)
  await ada.setRole(bob.self.id, "host")
  await expect.poll(() => bob.view.members.find(({ self }) => self)?.role, WAIT).toBe("host")
  await together(ada, bob, tom, eve)
  const honest = [ada, tom, eve]
  const reports = honest.map((): string[] => [])
  honest.forEach((each, at) => each.on("security", ({ code }) => void reports[at]!.push(code)))

  const { signer, publicKey } = await openIdentity({ store })
  const issuer = bytesToHex(publicKey)
  const { descriptorHash } = (await store.loadInvitation(ada.id))!
  const ofBob = [...sets].find((set) => set.next()?.issuer === issuer)!
  const office = ofBob.standing.offices.get(issuer)!
  const scope = { conferenceId: hexToBytes(ada.id), descriptorHash }
  const story = async (digit: string): Promise<SignedStatement[]> => {
    const said: SignedStatement[] = []
    for (let number = 1; number <= HOST_STATEMENTS_MAX; number++) {
      const previous = said.at(-1)?.id ?? office.after
      const body = { type: "removal", subject: `${number.toString(16)}${digit}`.padStart(64, "0") } as const
      const place = { issuer, office: office.id!, number, previous, heard: "0".repeat(64) }
      said.push(await signStatement(signer, scope, { ...place, body }))
    }
    return said
  }
  const stories = [await story("a"), await story("b")] as const
  const heads = (): (string | undefined)[] => [...sets].map(({ standing }) => standing.heads.get(issuer))
  const bobs = linksOf(bob.self.id)
  deafen(ofBob)

  for (const name of PEOPLE) room.network.cut("Ada", name)
  for (const [at, to] of [ada, tom, eve].entries()) {
    const statements = stories[at === 0 ? 0 : 1]!.map(({ bytes }) => bytes)
    const notice = encodeNotice({ type: "statements", statements, vouch: null })
    bobs.send(to.self.id, encodeLinkMessage({ type: "outOfGroup", bytes: notice }))
  }
  const expected = [1, 0, 0].map((one) => stories[one ? 0 : 1]!.at(-1)!.id)
  await expect.poll(() => heads().toSorted(), WAIT).toEqual(expected.toSorted())

  for (const name of PEOPLE) room.network.mend("Ada", name)
  // Its program holds to what it knew, so there is no key with it.
  await together(...honest)
  expect(new Set([...sets].map(({ standing }) => standing.digest)).size).toBe(1)
  expect(new Set(heads())).toEqual(new Set([office.after]))
  for (const { standing } of sets) expect(standing.contradicting).toEqual(new Set([issuer]))
  for (const codes of reports) expect(codes.filter((code) => code === "contradicting-host")).toHaveLength(1)

  await ada.remove(bob.self.id)
  await together(...honest)
  await expect.poll(() => tom.invitation.url, WAIT).toBe(ada.invitation.url)
  const cleo = await room.join("Cleo", ada.invitation.url)
  await together(...honest, cleo)
  expect(cleo.self.role).toBe("editor")
})

test("keeps a statement on the device of its host before anybody hears it", async () => {
  const store = createMemoryStore()
  const ada = await Conference.create({ server: SERVER, identity: await room.identity("Ada", store) })
  const bob = await room.join("Bob", ada.invitation.url)
  await together(ada, bob)
  const isKept: boolean[] = []
  const { merge } = StatementSet.prototype
  const sets: StatementSet[] = []
  // Statements are merged before they are sent.
  vi.spyOn(StatementSet.prototype, "merge").mockImplementation(async function (this: StatementSet, statements) {
    sets.push(this)
    if (this !== sets[0]) return merge.call(this, statements)
    const { statements: kept } = (await store.loadInvitation(ada.id))!
    const ids = decodeStatements(kept ?? encodeStatements([]))!.map(bytesToHex)
    isKept.push(statements.every((bytes) => ids.includes(bytesToHex(bytes))))
    return merge.call(this, statements)
  })
  await ada.setRole(bob.self.id, "viewer")
  await ada.remove(bob.self.id)
  expect(isKept.length).toBeGreaterThanOrEqual(2)
  expect(new Set(isKept)).toEqual(new Set([true]))
})
