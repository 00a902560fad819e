import { expect, test } from "vitest"
import { createCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import type { IdentityStore } from "../../src/identity/store.ts"
import { openIdentity, type OwnIdentity } from "../../src/identity/own-identity.ts"
import { VERIFIED_PEOPLE_MAX, VerifiedPeople } from "../../src/identity/verified-people.ts"

const checker = createCredentialChecker()
const filled = (value: number): Uint8Array => new Uint8Array(32).fill(value)
const member = (id: string, name: string, publicKey: Uint8Array) => ({
  id: id as OwnIdentity["member"],
  name,
  publicKey,
})

async function openFrom(store: IdentityStore, name = "Me"): Promise<VerifiedPeople> {
  const { id, signer, publicKey } = await openIdentity({ name, store })
  return VerifiedPeople.open({ store, id, signer, publicKey, checker })
}

test("a verified person stays verified, in another tab and under one's own new name", async () => {
  const store = createMemoryStore()
  await (await openFrom(store)).verify(filled(1), "Ada", 1)
  const again = await openFrom(store, "Another name")
  expect(again.isVerified(filled(1))).toBe(true)
  expect(again.isVerified(filled(2))).toBe(false)
  await again.unverify(filled(1))
  expect((await openFrom(store)).isVerified(filled(1))).toBe(false)
})

test("two tabs that verify two people lose neither", async () => {
  const store = createMemoryStore()
  const [one, other] = [await openFrom(store), await openFrom(store)]
  await Promise.all([one.verify(filled(1), "Ada", 1), other.verify(filled(2), "Bob", 2)])
  const third = await openFrom(store)
  expect([third.isVerified(filled(1)), third.isVerified(filled(2))]).toEqual([true, true])
})

test("a rename is no alarm; the name with another key is, also in other letters", async () => {
  const people = await openFrom(createMemoryStore())
  await people.verify(filled(1), "Ada Lovelace", 1)
  expect(people.impostors([member("a", "Countess", filled(1))])).toEqual(new Set())
  for (const name of ["Ada Lovelace", "ADA LOVELACE", "Ada  Lovelace", "Ａda Lovelace"]) {
    expect(people.impostors([member("b", name, filled(2))]), name).toEqual(new Set(["b"]))
  }
  expect(people.impostors([member("c", "Ada", filled(2))])).toEqual(new Set())
})

test("the name that a verified person bears today is watched over too", async () => {
  const people = await openFrom(createMemoryStore())
  await people.verify(filled(1), "Ada", 1)
  const renamed = member("a", "Countess", filled(1))
  expect(people.impostors([renamed, member("b", "countess", filled(2))])).toEqual(new Set(["b"]))
})

test("a verified person outside is an impostor when it has the name of another one", async () => {
  const people = await openFrom(createMemoryStore())
  await people.verify(filled(1), "Ada", 1)
  await people.verify(filled(2), "Bob", 2)
  const [bob, asAda, asCarol] = ["BOB", "ada", "Carol"].map((name) => member("b", name, filled(2)))
  const judged = [bob!, asAda!, asCarol!].map((each) => [people.isVerifiedAs(each), people.impostors([each]).size])
  expect(judged).toEqual([
    [true, 0],
    [false, 1],
    [false, 0],
  ])
})

test("accepts a verified person outside when its other device has the same new name", async () => {
  const people = await openFrom(createMemoryStore())
  await people.verify(filled(1), "Ada", 1)
  const [outside, present] = ["a", "b"].map((id) => member(id, "Countess", filled(1)))
  expect(people.impostors([outside!], [present!])).toEqual(new Set())
})

test("two verified people of one name are no alarm", async () => {
  const people = await openFrom(createMemoryStore())
  await people.verify(filled(1), "Ada", 1)
  await people.verify(filled(2), "Ada", 2)
  expect(people.impostors([member("a", "Ada", filled(1)), member("b", "Ada", filled(2))])).toEqual(new Set())
})

test("reports and ignores a list written by another or signed by another identity", async () => {
  const [mine, theirs] = [createMemoryStore(), createMemoryStore()]
  await (await openFrom(mine)).verify(filled(1), "Ada", 1)
  await (await openFrom(theirs)).verify(filled(66), "Mallory", 1)
  const { verified } = (await mine.load())!
  const forged = [
    (await theirs.load())!.verified!,
    verified!.map((byte, i) => (i === 20 ? byte ^ 1 : byte)),
    verified!.slice(0, -1),
    new Uint8Array(0),
  ]
  for (const bytes of forged) {
    await mine.save({ ...(await mine.load())!, verified: bytes })
    const people = await openFrom(mine)
    expect(people.altered).toBe(true)
    for (const key of [1, 66]) expect(people.isVerified(filled(key))).toBe(false)
  }
  const people = await openFrom(mine)
  await people.verify(filled(3), "Bob", 3)
  expect(people.altered).toBe(false)
  expect((await openFrom(mine)).isVerified(filled(3))).toBe(true)
})

test("a view during another's verification flags nobody as an impostor", async () => {
  const store = createMemoryStore()
  const { id, signer, publicKey } = await openIdentity({ name: "Me", store })
  const ada = member("a", "Ada", filled(1))
  const seen: unknown[] = []
  const look = () => opened && seen.push(opened.impostors([ada]).size, opened.isVerified(ada.publicKey))
  let opened: VerifiedPeople | null = null
  const watching = {
    ...checker,
    verify: (...args: Parameters<typeof checker.verify>) => {
      look()
      return checker.verify(...args)
    },
  }
  opened = await VerifiedPeople.open({ store, id, signer, publicKey, checker: watching })
  await opened.verify(filled(1), "Ada", 1)
  await opened.verify(filled(2), "Bob", 2)
  expect(seen).toEqual([0, true])
})

test("shows nobody as verified when it could not be stored", async () => {
  const store = createMemoryStore()
  const failing = { ...store }
  const people = await openFrom(failing)
  failing.save = () => Promise.reject(new Error("disk full"))
  await expect(people.verify(filled(1), "Ada", 1)).rejects.toThrow("disk full")
  expect(people.isVerified(filled(1))).toBe(false)
})

test("at the bound nobody is forgotten for somebody new", async () => {
  const store = createMemoryStore()
  const people = await openFrom(store)
  const key = (n: number): Uint8Array => filled(0).map((_, i) => (i < 2 ? (n >> (8 * i)) & 255 : 7))
  // Written in one go: each by itself would be read and signed a thousand times.
  const { exclusively, load, save } = store
  let record = (await load())!
  Object.assign(store, { exclusively: <T>(act: () => Promise<T>) => act(), load: async () => record })
  store.save = async (next) => void (record = next)
  for (let n = 0; n < VERIFIED_PEOPLE_MAX; n++) await people.verify(key(n), "P", n)
  await expect(people.verify(key(VERIFIED_PEOPLE_MAX), "One more", 0)).rejects.toMatchObject({ code: "too-large" })
  expect(people.isVerified(key(0))).toBe(true)
  await people.verify(key(0), "Person 0 again", 5)
  Object.assign(store, { exclusively, load, save })
})
