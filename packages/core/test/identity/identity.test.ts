import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { afterAll, describe, expect, test } from "vitest"

import { createCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import { renameIdentity } from "../../src/identity/device-identities.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import { openIdentity } from "../../src/identity/own-identity.ts"
import {
  FORMER_CERTIFICATES_MAX,
  type IdentityStore,
  type InvitationRecord,
  INVITATIONS_STORED_MAX,
} from "../../src/identity/store.ts"
import { createFileStore } from "../../src/node/index.ts"

const YEAR_MS = 365 * 24 * 60 * 60 * 1000
const directory = await mkdtemp(join(tmpdir(), "keymoot-identity-"))
afterAll(() => rm(directory, { recursive: true }))
let files = 0
const newFile = () => join(directory, `${files++}`, "identity.json")

/** Both stores, each as something that can be opened again. */
const stores: [string, () => () => IdentityStore][] = [
  [
    "memory",
    () =>
      (
        (store) => () =>
          store
      )(createMemoryStore()),
  ],
  [
    "file",
    () =>
      (
        (path) => () =>
          createFileStore(path)
      )(newFile()),
  ],
]

const invitation = (number: number): InvitationRecord => ({
  conferenceId: number.toString(16).padStart(32, "0"),
  secret: new Uint8Array(16).fill(number),
  descriptorHash: new Uint8Array(32).fill(number + 1),
  server: "https://meet.example",
  epochBlock: 64 * number,
  incarnation: number,
})

describe.each(stores)("an identity kept in the %s store", (_, newStore) => {
  test("is the same person the next time, and under another name the same key", async () => {
    const open = newStore()
    const first = await openIdentity({ name: " Ada ", store: open() })
    const again = await openIdentity({ name: "Ada", store: open() })
    expect([again.name, again.member, again.fingerprint]).toEqual(["Ada", first.member, first.fingerprint])
    const renamed = await openIdentity({ name: "Ada L.", store: open() })
    expect(renamed.member).not.toBe(first.member)
    expect(renamed.publicKey).toEqual(first.publicKey)
    expect((await open().load())?.name).toBe("Ada L.")
    expect((await createCredentialChecker().check(renamed.certificate))?.name).toBe("Ada L.")
  })

  test("keeps its last former certificates when the name changes again and again", async () => {
    const open = newStore()
    const certificates: Uint8Array[] = []
    for (const name of ["Ada", "Eve", "Ivy", "Ida", "Una", "Ora"]) {
      certificates.push((await openIdentity({ name, store: open() })).certificate)
    }
    const { former } = await openIdentity({ store: open() })
    expect(former).toEqual(certificates.slice(0, -1).slice(-FORMER_CERTIFICATES_MAX))
    expect(former).toHaveLength(4)
  })

  test("is the former member again when it returns to a former name", async () => {
    const open = newStore()
    const as = (name: string) => openIdentity({ name, store: open() })
    const [ada, bob, back] = [await as("Ada"), await as("Bob"), await as("Ada")]
    expect(back.member).toBe(ada.member)
    expect(back.former).toEqual([bob.certificate])
    const { id } = back
    await renameIdentity(open(), { id, name: "Bob" }, Date.now())
    const again = await openIdentity({ store: open() })
    expect([again.name, again.member, again.former]).toEqual(["Bob", bob.member, [ada.certificate]])
  })

  test("does not return to a former certificate that ends soon", async () => {
    const store = newStore()()
    const ada = await openIdentity({ name: "Ada", store })
    await openIdentity({ name: "Bob", store })
    const now = () => Date.now() + 20 * YEAR_MS - YEAR_MS / 12
    expect((await openIdentity({ name: "Ada", store, now })).member).not.toBe(ada.member)
  })

  test("still signs after it was loaded", async () => {
    const open = newStore()
    await openIdentity({ name: "Ada", store: open() })
    const { signer, publicKey } = await openIdentity({ name: "Ada", store: open() })
    const bytes = Uint8Array.of(1, 2, 3)
    expect(await createCredentialChecker().verify(publicKey, bytes, await signer.sign(bytes))).toBe(true)
  })

  test("opened twice at once is one identity", async () => {
    const store = newStore()()
    const [one, other] = await Promise.all([openIdentity({ name: "Ada", store }), openIdentity({ name: "Ada", store })])
    expect(one.member).toBe(other.member)
  })

  test("gets a new certificate on the same key before the old one ends", async () => {
    const store = newStore()()
    const old = await openIdentity({ name: "Ada", store })
    const now = () => Date.now() + 20 * YEAR_MS - YEAR_MS / 12
    const renewed = await openIdentity({ name: "Ada", store, now })
    expect(renewed.publicKey).toEqual(old.publicKey)
    expect(renewed.member).not.toBe(old.member)
    expect(await createCredentialChecker(now).check(renewed.certificate)).not.toBeNull()
  })

  test("remembers its invitations until asked to forget, and a bounded number", async () => {
    const open = newStore()
    const { conferenceId } = invitation(1)
    expect(await open().loadInvitation(conferenceId)).toBeNull()
    await open().saveInvitation(invitation(1))
    await open().saveInvitation({ ...invitation(1), incarnation: 7 })
    expect(await open().loadInvitation(conferenceId)).toEqual({ ...invitation(1), incarnation: 7 })
    for (let number = 2; number <= INVITATIONS_STORED_MAX + 1; number++) await open().saveInvitation(invitation(number))
    expect(await open().loadInvitation(conferenceId)).toBeNull()
    expect(await open().loadInvitation(invitation(2).conferenceId)).toEqual(invitation(2))
    await open().deleteInvitation(invitation(2).conferenceId)
    expect(await open().loadInvitation(invitation(2).conferenceId)).toBeNull()
  })

  test.each(["", "  ", "a\u0000b", "a\u202eb", "\ud800", "x".repeat(61)])(
    "is not opened under the name %j",
    async (name) => {
      await expect(openIdentity({ name, store: newStore()() })).rejects.toMatchObject({
        name: "KeymootError",
        code: "invalid-argument",
      })
    },
  )
})

test("a key in memory cannot be read by a script", async () => {
  const store = createMemoryStore()
  await openIdentity({ name: "Ada", store })
  const { privateKey } = (await store.load())!.keyPair
  await expect(crypto.subtle.exportKey("pkcs8", privateKey)).rejects.toThrow()
})

describe("an identity file", () => {
  test("is readable by its owner only, and leaves no other file behind", async () => {
    const path = newFile()
    await openIdentity({ name: "Ada", store: createFileStore(path) })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readdir(join(path, ".."))).toEqual(["identity.json"])
  })

  test.each(["", "{", '{"version":2}', '{"version":1,"invitations":[]}', '{"version":3,"invitations":[]}', "null"])(
    "is reported and not overwritten when it is damaged or of another version (%j)",
    async (content) => {
      const path = join(directory, `${files++}.json`)
      await writeFile(path, content)
      await expect(openIdentity({ name: "Ada", store: createFileStore(path) })).rejects.toMatchObject({
        code: "storage-unavailable",
      })
      expect(await readFile(path, "utf8")).toBe(content)
    },
  )
})
