import "fake-indexeddb/auto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openDB } from "idb"
import { afterAll, describe, expect, test } from "vitest"
import { createBrowserStore } from "../../src/identity/browser-store.ts"
import { openIdentity } from "../../src/identity/own-identity.ts"
import type { IdentityStore } from "../../src/identity/store.ts"
import { createFileStore, openIdentitiesInNode } from "../../src/node/index.ts"

const directory = await mkdtemp(join(tmpdir(), "keymoot-stores-"))
afterAll(() => rm(directory, { recursive: true }))
let made = 0

/** Both lasting stores, each as something that can be opened again. */
const stores: [string, () => () => IdentityStore][] = [
  [
    "browser",
    () =>
      (
        (name) => () =>
          createBrowserStore(name)
      )(`database ${made++}`),
  ],
  [
    "file",
    () =>
      (
        (path) => () =>
          createFileStore(path)
      )(join(directory, `${made++}.json`)),
  ],
]

describe.each(stores)("in the %s", (_, newStore) => {
  test("identities are made, listed, chosen, renamed, removed, and outlive the page", async () => {
    const open = newStore()
    const first = await openIdentity({ name: "At home", store: open() })
    const identities = await openIdentitiesInNode({ store: open() })
    const { identity: second } = await identities.create({ name: "At work" })
    await identities.rename(second.id, "In the office")
    await identities.choose(first.id)
    identities.close()
    const later = await openIdentitiesInNode({ store: open() })
    expect((await later.list()).map(({ name, chosen }) => `${name} ${chosen}`).toSorted()).toEqual([
      "At home true",
      "In the office false",
    ])
    await later.remove(first.id)
    later.close()
    expect(await openIdentity({ store: open() })).toMatchObject({ id: second.id, name: "In the office" })
    await expect(open().load(first.id)).resolves.toBeNull()
  })

  test("a renamed identity keeps its former certificate after the page has gone", async () => {
    const open = newStore()
    const { id, certificate } = await openIdentity({ name: "Ada", store: open() })
    const identities = await openIdentitiesInNode({ store: open() })
    await identities.rename(id, "Ada L.")
    identities.close()
    expect((await openIdentity({ store: open() })).former).toEqual([certificate])
  })

  test("keeps verified people with their identity, and with no other", async () => {
    const open = newStore()
    const { id } = await openIdentity({ name: "Ada", store: open() })
    await open().save({ ...(await open().load(id))!, verified: Uint8Array.of(1, 2, 3) })
    const identities = await openIdentitiesInNode({ store: open() })
    const { identity: other } = await identities.create({ name: "Ada" })
    await identities.rename(id, "Ada L.")
    identities.close()
    expect((await open().load(id))!.verified).toEqual(Uint8Array.of(1, 2, 3))
    expect((await open().load(other.id))!.verified).toBeUndefined()
  })
})

test("a browser with an identity of the first version keeps it and its invitations", async () => {
  const keyPair = (await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"])) as CryptoKeyPair
  const name = `database ${made++}`
  const old = await openDB(name, 1, {
    upgrade(db) {
      db.createObjectStore("identity")
      db.createObjectStore("invitations", { keyPath: "conferenceId" }).createIndex("savedAtMs", "savedAtMs")
    },
  })
  await old.put("identity", { name: "Ada", certificate: Uint8Array.of(1), keyPair }, "self")
  await old.put("invitations", { conferenceId: "00", savedAtMs: 1, server: "https://meet.example" })
  old.close()
  const store = createBrowserStore(name)
  const publicKey = new Uint8Array(await crypto.subtle.exportKey("raw", keyPair.publicKey))
  expect(await openIdentity({ name: "Ada", store })).toMatchObject({ id: "self", publicKey })
  expect(await store.loadInvitation("00")).toEqual({ conferenceId: "00", server: "https://meet.example" })
})
