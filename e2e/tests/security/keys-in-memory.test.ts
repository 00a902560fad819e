import { randomBytes } from "node:crypto"
import type { Browser } from "@playwright/test"
import { launch } from "../../browsers.ts"
import { expect, test } from "../../support/fixtures.ts"
import type { People } from "../../support/people.ts"
import type { StartOptions } from "../../support/person.ts"
import { collectGarbage, engineOf, noteSecrets, notedSecrets, plant } from "../../support/security/noted-secrets.ts"
import { remainsIn, type Remains } from "../../support/security/process-memory.ts"
import { invite } from "../../support/scenes.ts"

// A secret that leaks now and then has leaked: no second try.
test.describe.configure({ retries: 0 })

type Mode = NonNullable<StartOptions["quantumComputers"]>

/** A share may be used once more in the view after its own. */
const VIEWS_IN_USE = 2
const REJOINS = 3

test("former keys leave a browser's memory, and no key reaches its page", ({ server, people }) =>
  searchMemory(server.origin, people, "no extra protection"))

// With the post-quantum secrets among them: its keys, its seeds and what was encapsulated.
test("former keys of a hybrid conference leave memory too", ({ server, people }) =>
  searchMemory(server.origin, people, "extra protection (ML-KEM-768)"))

async function searchMemory(origin: string, people: People, quantumComputers: Mode) {
  const browser = await launch("chromium", ["--js-flags=--expose-gc"])
  const ada = await people.arriveIn(browser, "Ada")
  await noteSecrets(ada.page)
  const bob = await people.arrive("Bob")
  await ada.start(origin, { quantumComputers })
  const engine = await engineOf(ada.page)
  // The sealing keys of a conference and its link are in use as long as the conference lasts.
  const conference = await notedSecrets(engine)
  const link = await invite(ada, bob)
  /** At the end of each time with Bob, and of each without. */
  const views = [await notedSecrets(engine)]
  for (let rejoin = 0; rejoin < REJOINS; rejoin++) {
    await bob.leave()
    await ada.seesLock("Only you are here.")
    views.push(await notedSecrets(engine))
    await bob.join(link)
    for (const person of [ada, bob]) await person.seesEncryptedFor(2)
    for (const person of [ada, bob]) await person.say(`${person.name} speaks ${rejoin}`)
    for (const person of [ada, bob]) {
      await expect
        .poll(() => person.texts())
        .toEqual(expect.arrayContaining([`Ada speaks ${rejoin}`, `Bob speaks ${rejoin}`]))
    }
    views.push(await notedSecrets(engine))
  }
  const planted = randomBytes(32)
  await plant(engine, planted)
  await collectGarbage(ada.page, engine)

  const [formerly, lately] = [views.at(-1 - VIEWS_IN_USE)!, views.at(-1)!]
  const since = (before: readonly Buffer[], notes: readonly Buffer[]): Buffer[] => distinct(notes.slice(before.length))
  const senderKeys = since(conference.imported, formerly.imported)
  const former = since(conference.wiped, formerly.wiped).filter((key) => !senderKeys.some((other) => other.equals(key)))
  const present = since(formerly.imported, lately.imported)
  expect(former.length).toBeGreaterThan(20)
  expect(senderKeys.length).toBeGreaterThan(2)

  const told = Buffer.concat(lately.sent)
  expect(told.includes(`Bob speaks ${REJOINS - 1}`)).toBe(true)
  const secrets = [...since(conference.wiped, lately.wiped), ...since(conference.imported, lately.imported)]
  expect(secrets.filter((secret) => formsOf(secret).some((form) => told.includes(form)))).toEqual([])

  const remains = await remainsInPages(browser, [planted, ...present, ...former, ...senderKeys])
  test.skip(remains === null, "this system does not let anybody read a browser's memory")
  const remainsOf = (keys: readonly Buffer[]): Remains[] => keys.map((key) => remains!.get(key.toString("hex"))!)
  const wholeCopies = (keys: readonly Buffer[]): number[] => remainsOf(keys).map(({ whole }) => whole)
  // Nothing hides from the search: neither what a script holds, nor what the browser holds for it.
  expect(wholeCopies([planted])).toEqual([1])
  expect(wholeCopies(present)).toContain(1)
  // That one is WebCrypto's, and the engine has left none where a script's objects are.
  expect(Math.max(...wholeCopies(present))).toBe(1)
  expect(remainsOf(former)).toEqual(former.map(() => ({ whole: 0, halves: 0 })))
  // WebCrypto drops a key without overwriting it. Its allocator then overwrites the first half.
  expect(wholeCopies(senderKeys)).toEqual(senderKeys.map(() => 0))
}

function distinct(secrets: readonly Buffer[]): Buffer[] {
  return [...new Map<string, Buffer>(secrets.map((secret) => [secret.toString("hex"), secret])).values()]
}

/** As a page could be told a secret. */
function formsOf(secret: Buffer): (Buffer | string)[] {
  return [secret, ...(["hex", "base64", "base64url"] as const).map((form) => secret.toString(form))]
}

/** By the secret in hex: in all page processes of the browser. */
async function remainsInPages(browser: Browser, secrets: readonly Buffer[]): Promise<Map<string, Remains> | null> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send("SystemInfo.getProcessInfo")
  const sums = secrets.map(() => ({ whole: 0, halves: 0 }))
  for (const { id } of processInfo.filter(({ type }) => type === "renderer")) {
    const remains = await remainsIn(id, secrets)
    if (remains === null) return null
    for (const [index, { whole, halves }] of remains.entries()) {
      sums[index]!.whole += whole
      sums[index]!.halves += halves
    }
  }
  return new Map(secrets.map((secret, index) => [secret.toString("hex"), sums[index]!]))
}
