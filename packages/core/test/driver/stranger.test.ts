/** A stranger who holds the link of a conference with a roster, and whose program does not care that it is not named. */
import { LoopbackNetwork } from "@keymoot/transport/testing"
import { afterEach, expect, test } from "vitest"
import type { SecurityEvent } from "../../src/api/index.ts"
import { Conference } from "../../src/client/conference.ts"
import type { Identity } from "../../src/client/identity.ts"
import { appearAs } from "../../src/identity/own-identity.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import { openIdentitiesInNode, openInProcess } from "../../src/node/open-identity.ts"
import { TestAuthority } from "../identity/authorities.ts"
import { newcomer } from "../identity/people.ts"
import { intrude, SERVER } from "./intruder.ts"

const network = new LoopbackNetwork({ schedule: (task) => void setImmediate(task) })
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function person(name: string, store = createMemoryStore()): Promise<Identity> {
  const identity = await openInProcess(name, store, network.createHost(name))
  closing.push(() => identity.close())
  return identity
}

/** Enters with this link as if it were enough. `as`: whose certificate the stranger shows, if not the own one. */
async function enterAll(url: string, as: "self" | "Bob"): Promise<{ id: string; alone: Promise<void> }> {
  const stranger = await newcomer("Mallory")
  let { member: id } = stranger
  let sawItself: () => void = () => undefined
  const alone = new Promise<void>((resolve) => (sawItself = resolve))
  const goHome = await intrude(network, {
    url,
    identity: stranger,
    believes: (descriptor) => ({ ...descriptor, admission: { policy: "link" }, keyAgreement: "tgdh" }),
    appearing: (identity, { admission }) => {
      const bob = admission.policy === "roster" && admission.roster.find(({ name }) => name === "Bob")
      const shown = as === "Bob" && bob ? appearAs(identity, bob) : identity
      id = shown.member
      return shown
    },
    onEvent: (event) => event.type === "view" && event.view.members.length === 1 && sawItself(),
  })
  closing.push(goHome)
  return { id, alone }
}

test.each(["majority", "tgdh"] as const)(
  "%s: a stranger with the link that enters anyway meets nobody and is reported",
  async (keyAgreement) => {
    const [ada, bob] = [await person("Ada"), await person("Bob")]
    const admission = { policy: "roster", members: [bob.card] } as const
    const conference = await Conference.create({ server: SERVER, identity: ada, keyAgreement, admission })
    const refused = new Promise<SecurityEvent>((resolve) => conference.on("security", resolve))
    const stranger = await enterAll(conference.invitation.url, "self")
    expect(await refused).toMatchObject({ code: "not-admitted", member: stranger.id })
    await stranger.alone
    const joined = await Conference.join({ url: conference.invitation.url, identity: bob })
    await new Promise<void>((resolve) => {
      joined.on("view", ({ members }) => members.length === 2 && resolve())
    })
    expect(conference.view.members.map(({ name }) => name).sort()).toEqual(["Ada", "Bob"])
  },
)

test("a stranger with the link and a self-made certificate meets no certified people", async () => {
  const authority = await TestAuthority.create("Acme Ltd")
  const store = createMemoryStore()
  const identities = await openIdentitiesInNode({ store })
  const { identity } = await identities.create({ name: "Ada" })
  const certificate = await authority.answer(await identities.certificateRequest(identity.id))
  await identities.certify(identity.id, { certificate, authority: authority.certificate })
  identities.close()
  const ada = await person("Ada", store)
  const admission = { policy: "ca", authority: authority.certificate } as const
  const conference = await Conference.create({ server: SERVER, identity: ada, admission })
  const refused = new Promise<SecurityEvent>((resolve) => conference.on("security", resolve))
  const stranger = await enterAll(conference.invitation.url, "self")
  const event = { code: "not-admitted", member: stranger.id, detail: expect.stringContaining("wrong-authority") }
  expect(await refused).toMatchObject(event)
  await stranger.alone
  expect(conference.view.members.map(({ name }) => name)).toEqual(["Ada"])
})

test("a stranger with a named person's certificate but no key meets nobody", async () => {
  const [ada, bob] = [await person("Ada"), await person("Bob")]
  const admission = { policy: "roster", members: [bob.card] } as const
  const conference = await Conference.create({ server: SERVER, identity: ada, keyAgreement: "majority", admission })
  const forged = new Promise<SecurityEvent>((resolve) => conference.on("security", resolve))
  const stranger = await enterAll(conference.invitation.url, "Bob")
  expect((await forged).code).toBe("forged-signal")
  await stranger.alone
  expect(conference.view.members.map(({ name }) => name)).toEqual(["Ada"])
})
