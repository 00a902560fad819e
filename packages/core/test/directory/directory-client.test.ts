import { type RunningServer, startServer } from "@keymoot/signaling"
import { LoopbackNetwork } from "@keymoot/transport/testing"
import { hexToBytes } from "@noble/hashes/utils.js"
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest"
import { Conference, Directory, type DirectoryHandle, type Identity } from "../../src/index.ts"
import { createCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import { fingerprintOf } from "../../src/identity/certificates/certificate.ts"
import { parseCard } from "../../src/identity/card.ts"
import { openInProcess } from "../../src/node/open-identity.ts"
import { DirectoryServer } from "../../src/client/directory/directory-server.ts"

let server: RunningServer
beforeAll(async () => {
  server = await startServer({ port: 0 })
})
afterAll(() => server.close())

/** The engines meet nobody: only the directory is real here. */
async function arrive(
  name: string,
  store = createMemoryStore(),
): Promise<{ identity: Identity; directory: DirectoryHandle }> {
  const network = new LoopbackNetwork()
  const identity = await openInProcess(name, store, network.createHost(name))
  const directory = await Directory.open({ server: server.url, identity })
  onTestFinished(() => {
    directory.close()
    return identity.close()
  })
  return { identity, directory }
}

test("a person is listed only between publishing and withdrawing", async () => {
  const [ada, bob] = [await arrive("Ada L."), await arrive("Bob")]
  expect(await ada.directory.publishedName()).toBe(null)
  expect((await bob.directory.find("ada")).entries).toEqual([])
  await ada.directory.publish()
  expect(await ada.directory.publishedName()).toBe("Ada L.")
  const { fingerprint, card } = ada.identity
  const { entries, next } = await bob.directory.find(" ADA ")
  const publicKey = expect.stringMatching(/^[0-9a-f]{64}$/u)
  expect(entries).toEqual([{ name: "Ada L.", fingerprint, publicKey, card, standing: "unverified" }])
  expect(next).toBe(null)
  await ada.directory.withdraw()
  expect(await ada.directory.publishedName()).toBe(null)
  expect((await bob.directory.find("ada")).entries).toEqual([])
})

test("rejects calls with closed when the directory was or is closed", async () => {
  const { directory } = await arrive("Ada")
  const found = expect(directory.find("Ada")).rejects.toMatchObject({ code: "closed" })
  directory.close()
  await found
  for (const call of [() => directory.find("Ada"), () => directory.publishedName(), () => directory.publish()])
    await expect(call()).rejects.toMatchObject({ code: "closed" })
})

test("a server that lists another certificate as one's own is not believed", async () => {
  const [ada, mallory] = [await arrive("Ada"), await arrive("Ada")]
  for (const { directory } of [ada, mallory]) await directory.publish()
  const substitute = await mallory.directory.find("Ada")
  const { card } = substitute.entries.find(({ fingerprint }) => fingerprint === mallory.identity.fingerprint)!
  const other = (await parseCard(card!, createCredentialChecker())).certificate
  const lie = vi.spyOn(DirectoryServer.prototype, "certificateOf").mockResolvedValue(other)
  onTestFinished(() => lie.mockRestore())
  await expect(ada.directory.publishedName()).rejects.toMatchObject({ code: "certificate-mismatch" })
})

test("a renamed person learns of the former entry, and withdraws it", async () => {
  const store = createMemoryStore()
  const before = await arrive("Norma", store)
  await before.directory.publish()
  const after = await arrive("Marilyn", store)
  expect(await after.directory.publishedName()).toBe("Norma")
  await after.directory.withdraw()
  expect(await after.directory.publishedName()).toBe(null)
  expect((await before.directory.find("Norma")).entries).toEqual([])
})

test("the people on a roster find the conference, and nobody else does", async () => {
  const [ada, bob, eve] = [await arrive("Ada"), await arrive("Bob"), await arrive("Eve")]
  await ada.directory.publish()
  const admission = { policy: "roster", members: [bob.identity.card] } as const
  const opensAtMs = Date.now() + 3_600_000
  const { id, timeFrame } = await ada.directory.create({ admission, opensAtMs, durationMs: 60_000 })
  const { entries } = await bob.directory.conferences()
  const creator = { name: "Ada", fingerprint: ada.identity.fingerprint, standing: "unverified" }
  expect(entries).toMatchObject([{ id, opensAtMs, endsAtMs: timeFrame.endsAtMs, signed: true, creator }])
  expect((await ada.directory.conferences()).entries).toMatchObject([{ id, signed: true }])
  expect((await eve.directory.conferences()).entries).toEqual([])
})

test("a person who was renamed finds conferences of the former and of the new name", async () => {
  const store = createMemoryStore()
  const [ada, before] = [await arrive("Ada"), await arrive("Norma", store)]
  await ada.directory.publish()
  const name = async ({ card }: Identity, opensInMs: number): Promise<string> => {
    const admission = { policy: "roster", members: [card] } as const
    return (await ada.directory.create({ admission, opensAtMs: Date.now() + opensInMs, durationMs: 60_000 })).id
  }
  const former = await name(before.identity, 7_200_000)
  const after = await arrive("Marilyn", store)
  const latter = await name(after.identity, 3_600_000)
  const { entries, next } = await after.directory.conferences()
  expect(entries).toMatchObject([
    { id: latter, signed: true },
    { id: former, signed: true },
  ])
  expect(next).toBe(null)
})

test("answers calls at once without spoiling each other's proofs", async () => {
  const [{ directory }, bob] = [await arrive("Ada at once"), await arrive("Bob")]
  const admission = { policy: "roster", members: [bob.identity.card] } as const
  const opensAtMs = Date.now() + 3_600_000
  const create = () => directory.create({ admission, opensAtMs, durationMs: 60_000 })
  const [, one, listed, other] = await Promise.all([directory.publish(), create(), directory.conferences(), create()])
  expect(listed.entries.every(({ id }) => [one.id, other.id].includes(id))).toBe(true)
  expect((await directory.conferences()).entries).toHaveLength(2)
  await expect(Promise.all([directory.withdraw(), directory.publish()])).resolves.toBeDefined()
})

test("continues each page of the conferences where the one before ended", async () => {
  const store = createMemoryStore()
  const ada = await arrive("Ada")
  const before = await arrive("Norma", store)
  const after = await arrive("Marilyn", store)
  const ask = DirectoryServer.prototype.ask
  const nobody = { startsAtMs: 0, endsAtMs: 1, creator: ada.identity.fingerprint }
  const pages = [
    { entries: [{ ...nobody, id: "1".repeat(32) }], next: "cursor" },
    { entries: [{ ...nobody, id: "2".repeat(32) }] },
    { entries: [{ ...nobody, id: "3".repeat(32) }], next: "other" },
    { entries: [] },
  ]
  const asked: unknown[] = []
  const asking = vi.spyOn(DirectoryServer.prototype, "ask")
  asking.mockImplementation(async function (this: DirectoryServer, name, request: unknown) {
    if (name === "participant:prove") asked.push(fingerprintOf((request as { certificate: Uint8Array }).certificate))
    if (name !== "conference:list") return ask.call(this, name, request as never) as never
    asked.push(request)
    return { ok: true, ...pages.shift()! } as never
  })
  onTestFinished(() => asking.mockRestore())
  const ids: string[][] = []
  let next: string | null | undefined
  do {
    const page = await after.directory.conferences(next ? { after: next } : {})
    ids.push(page.entries.map(({ id }) => id[0]!))
    next = page.next
  } while (next !== null)
  expect(ids).toEqual([["1"], ["2", "3"], []])
  const [own, former] = [after, before].map(({ identity }) => hexToBytes(identity.fingerprint))
  expect(asked).toEqual([own, {}, own, { after: "cursor" }, former, {}, former, { after: "other" }])
})

test("a conference that the server does not list is not kept either", async () => {
  const { identity, directory } = await arrive("Ada")
  const { card } = (await arrive("Bob")).identity
  const admission = { policy: "roster", members: [card] } as const
  await expect(directory.create({ admission: { policy: "link" } })).rejects.toMatchObject({ code: "invalid-argument" })
  await expect(directory.create({ admission, durationMs: 1e15 })).rejects.toMatchObject({ code: "invalid-argument" })
  const asking = vi.spyOn(DirectoryServer.prototype, "ask").mockRejectedValue(new Error("no answer"))
  await expect(directory.create({ admission })).rejects.toThrow("no answer")
  asking.mockRestore()
  expect(await Conference.kept({ identity })).toEqual([])
})

test("a server that withholds certificates lists people without cards", async () => {
  const [ada, bob] = [await arrive("Ada Withheld"), await arrive("Bob")]
  await ada.directory.publish()
  const withheld = vi.spyOn(DirectoryServer.prototype, "certificateOf").mockResolvedValue(null)
  onTestFinished(() => withheld.mockRestore())
  expect((await bob.directory.find("Ada W")).entries).toMatchObject([{ standing: "unchecked", card: null }])
})

test("wrong options are refused, and so is a server that is none", async () => {
  const { directory } = await arrive("Ada")
  for (const name of ["", "  ", "x".repeat(61)]) {
    await expect(directory.find(name)).rejects.toMatchObject({ code: "invalid-argument" })
  }
  for (const wrong of ["nowhere", "ftp://a.example", undefined as never]) {
    await expect(Directory.open({ server: wrong })).rejects.toMatchObject({ code: "invalid-argument" })
  }
  const anonymous = await Directory.open({ server: server.url })
  onTestFinished(() => anonymous.close())
  await expect(anonymous.publish()).rejects.toMatchObject({ code: "invalid-argument" })
})
