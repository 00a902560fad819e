import sodium from "libsodium-wrappers-sumo"
import { expect, test } from "vitest"
import {
  chooseIdentity,
  createIdentity,
  listIdentities,
  removeIdentity,
  renameIdentity,
  restoreIdentity,
} from "../../src/identity/device-identities.ts"
import { createCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import { openIdentity } from "../../src/identity/own-identity.ts"
import { sealBackup } from "../../src/identity/backup.ts"
import { IDENTITIES_STORED_MAX } from "../../src/identity/store.ts"

const NOW_MS = Date.now()
const passphrase = "four words of hers"
const checker = createCredentialChecker()

const there = createMemoryStore()
const { identity: ada, backup } = await createIdentity(there, { name: "Ada", passphrase }, NOW_MS)

test("an identity is restored on another device with its key and a new certificate", async () => {
  const here = createMemoryStore()
  const restored = await restoreIdentity(here, { backup: backup!, passphrase }, NOW_MS)
  expect(restored).toMatchObject({ name: "Ada", publicKey: ada.publicKey, chosen: true })
  const [one, other] = [await openIdentity({ store: there }), await openIdentity({ store: here })]
  expect(other.publicKey).toEqual(one.publicKey)
  expect(other.member).not.toBe(one.member)
  const bytes = Uint8Array.of(1, 2, 3)
  expect(await checker.verify(one.publicKey, bytes, await other.signer.sign(bytes))).toBe(true)
})

test("after creation and after restoring, no script can take the key out", async () => {
  const here = createMemoryStore()
  await restoreIdentity(here, { backup: backup!, passphrase }, NOW_MS)
  for (const store of [there, here]) {
    const { privateKey } = (await store.load())!.keyPair
    expect(privateKey.extractable).toBe(false)
    await expect(crypto.subtle.exportKey("pkcs8", privateKey)).rejects.toThrow()
  }
})

test("only chooses an identity when it is restored where it is already", async () => {
  const store = createMemoryStore()
  const first = await restoreIdentity(store, { backup: backup!, passphrase }, NOW_MS)
  await store.save({ ...(await store.load())!, verified: Uint8Array.of(1) })
  await createIdentity(store, { name: "Somebody else", passphrase: null }, NOW_MS)
  const again = await restoreIdentity(store, { backup: backup!, passphrase }, NOW_MS)
  expect(again).toEqual(first)
  expect(await listIdentities(store)).toHaveLength(2)
  expect((await store.load())!.verified).toEqual(Uint8Array.of(1))
})

test("restores one identity when a backup is restored twice at once", async () => {
  const store = createMemoryStore()
  const restore = () => restoreIdentity(store, { backup: backup!, passphrase }, NOW_MS)
  const [one, other] = await Promise.all([restore(), restore()])
  expect(one).toEqual(other)
  expect(await listIdentities(store)).toEqual([one])
})

test("accepts composed passphrases, and tells a wrong one from a damaged file", async () => {
  const store = createMemoryStore()
  const made = await createIdentity(store, { name: "Zoë", passphrase: "Zo\u00eb isst \u212bpfel gern" }, NOW_MS)
  const restore = (bytes: Uint8Array, words: string) =>
    restoreIdentity(createMemoryStore(), { backup: bytes, passphrase: words }, NOW_MS)
  await expect(restore(made.backup!, "Zoe\u0308 isst A\u030apfel gern")).resolves.toMatchObject({ name: "Zoë" })
  await expect(restore(made.backup!, "Zoe isst Apfel gern")).rejects.toMatchObject({ code: "wrong-passphrase" })
})

test("refuses a damaged, cut, foreign or newer file as such at any wrong byte", async () => {
  const restore = (bytes: Uint8Array) => restoreIdentity(createMemoryStore(), { backup: bytes, passphrase }, NOW_MS)
  const flipped = (at: number) => backup!.map((byte, i) => (i === at ? byte ^ 1 : byte))
  for (let at = 0; at < backup!.length; at++) {
    const code = at === 16 ? /damaged-backup|newer-backup/u : /damaged-backup/u
    await expect(restore(flipped(at)), `byte ${at}`).rejects.toMatchObject({
      code: expect.stringMatching(code) as string,
    })
  }
  for (const bytes of [new Uint8Array(0), backup!.slice(0, -1), new Uint8Array(1e6), new TextEncoder().encode("{}")]) {
    await expect(restore(bytes)).rejects.toMatchObject({ code: "damaged-backup" })
  }
  const newer = backup!.slice()
  newer[16] = 2
  await expect(restore(newer)).rejects.toMatchObject({ code: "newer-backup" })
})

test("a file that was changed together with its checksum opens under no passphrase", async () => {
  const changed = backup!.slice()
  changed[40]! ^= 1
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", changed.slice(0, -8)))
  changed.set(sum.subarray(0, 8), changed.length - 8)
  const restoring = restoreIdentity(createMemoryStore(), { backup: changed, passphrase }, NOW_MS)
  await expect(restoring).rejects.toMatchObject({ code: "wrong-passphrase" })
})

test("a short passphrase is refused, and without one there is no backup", async () => {
  const store = createMemoryStore()
  const short = createIdentity(store, { name: "Ada", passphrase: "hunter2" }, NOW_MS)
  await expect(short).rejects.toMatchObject({ code: "invalid-argument" })
  expect(await store.list()).toEqual([])
  expect((await createIdentity(store, { name: "Ada", passphrase: null }, NOW_MS)).backup).toBeNull()
})

test("stores neither name nor key readably in the file", () => {
  const text = new TextDecoder("latin1").decode(backup!)
  expect(text).not.toContain("Ada")
  expect(Buffer.from(backup!).toString("hex")).not.toContain(ada.publicKey)
})

test("several identities live on one device: listed, chosen, renamed, removed", async () => {
  const store = createMemoryStore()
  const first = await openIdentity({ name: "At home", store })
  const { identity: second } = await createIdentity(store, { name: "At work", passphrase: null }, NOW_MS)
  expect((await openIdentity({ store })).name).toBe("At work")
  expect((await openIdentity({ store, id: first.id })).publicKey).toEqual(first.publicKey)
  await chooseIdentity(store, first.id)
  expect((await openIdentity({ store })).id).toBe(first.id)
  await renameIdentity(store, { id: second.id, name: "In the office" }, NOW_MS)
  const listed = await listIdentities(store)
  expect(listed.map(({ name, chosen }) => `${name} ${chosen}`).toSorted()).toEqual([
    "At home true",
    "In the office false",
  ])
  expect(listed.find(({ id }) => id === second.id)!.publicKey).toBe(second.publicKey)
  await removeIdentity(store, first.id)
  expect((await openIdentity({ store })).id).toBe(second.id)
  for (const act of [
    chooseIdentity(store, first.id),
    removeIdentity(store, first.id),
    openIdentity({ store, id: first.id }),
  ]) {
    await expect(act).rejects.toMatchObject({ code: "invalid-argument" })
  }
})

test("a device does not fill up with identities", async () => {
  const store = createMemoryStore()
  const create = () => createIdentity(store, { name: "Ada", passphrase: null }, NOW_MS)
  for (let n = 0; n < IDENTITIES_STORED_MAX; n++) await create()
  await expect(create()).rejects.toMatchObject({ code: "too-large" })
})

test("leaves no passphrase in WebAssembly's memory when a backup is sealed", async () => {
  const passphrase = `five ${crypto.randomUUID()} words`
  const backup = { seed: new Uint8Array(32), publicKey: new Uint8Array(32), name: "Ada" }
  await sealBackup(backup, passphrase)
  const { HEAPU8 } = (sodium as unknown as { readonly libsodium: { readonly HEAPU8: Uint8Array } }).libsodium
  // The allocator writes into the first bytes of what is freed.
  expect(Buffer.from(HEAPU8.buffer).includes(passphrase.slice(-20))).toBe(false)
})
