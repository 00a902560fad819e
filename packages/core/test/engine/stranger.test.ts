/** A stranger who holds the link of a conference with a roster, and whose program does not care that it is not named. */
import { LoopbackNetwork } from "@keymoot/transport/testing"
import type { HostEvent, LinkNumber } from "@keymoot/transport/host"
import { afterEach, expect, test } from "vitest"
import type { SecurityEvent } from "../../src/api.ts"
import { Conference } from "../../src/client/conference.ts"
import type { Identity } from "../../src/client/identity.ts"
import { openDescriptor, parseInvitation } from "../../src/conference/index.ts"
import { ConferenceRecord } from "../../src/engine/conference-record.ts"
import { createSession } from "../../src/engine/create-session.ts"
import { loadCryptography } from "../../src/engine/cryptography.ts"
import { Directory } from "../../src/engine/directory.ts"
import type { ConferenceEvent } from "../../src/engine/protocol.ts"
import { appearAs, createCredentialChecker, createMemoryStore, VerifiedPeople } from "../../src/identity/index.ts"
import { openIdentitiesInNode, openInProcess } from "../../src/node/open-identity.ts"
import { TestAuthority } from "../identity/authorities.ts"
import { newcomer } from "../identity/people.ts"

const SERVER = "http://localhost:1"
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
async function intrude(url: string, as: "self" | "Bob"): Promise<{ id: string; alone: Promise<void> }> {
  const checker = createCredentialChecker()
  const stranger = await newcomer("Mallory")
  const invitation = parseInvitation(url)
  let onEvent: (event: HostEvent) => void = () => undefined
  const host = network.createHost("Mallory")((event) => onEvent(event))
  const directory = new Directory((command) => host.post(command))
  onEvent = (event) => directory.handle(event)
  directory.use(SERVER)
  const bytes = await directory.fetchDescriptor(SERVER, invitation.conferenceId)
  const descriptor = await openDescriptor(bytes, invitation, checker, Date.now())
  const bob = descriptor.admission.policy === "roster" && descriptor.admission.roster.find(({ name }) => name === "Bob")
  const identity = as === "Bob" && bob ? appearAs(stranger, bob) : stranger
  const people = await VerifiedPeople.open({
    store: createMemoryStore(),
    id: stranger.id,
    signer: stranger.signer,
    publicKey: stranger.publicKey,
    checker,
  })
  let links = 1000
  let requests = 1000
  let sawItself: () => void = () => undefined
  const alone = new Promise<void>((resolve) => (sawItself = resolve))
  const session = createSession({
    descriptor: { ...descriptor, admission: { policy: "link" }, keyAgreement: "tgdh" },
    invitation,
    record: await ConferenceRecord.open(createMemoryStore(), invitation, new Uint8Array()),
    identity,
    checker,
    people,
    cryptography: await loadCryptography(),
    iceServers: [],
    transportPolicy: "all",
    created: true,
    files: { shelf: "stranger", blocks: createMemoryStore().files },
    post: (command) => host.post(command),
    nextLink: () => ++links as LinkNumber,
    nextRequest: () => ++requests,
    emit: (event: ConferenceEvent) => event.type === "view" && event.view.members.length === 1 && sawItself(),
    copy: null,
    now: () => Date.now(),
  })
  onEvent = (event) => session.handleHost(event)
  session.tick(performance.now())
  session.handleHost({ type: "bootstrap-state", server: SERVER, state: "up" })
  const timer = setInterval(() => session.tick(performance.now()), 50)
  closing.push(async () => {
    clearInterval(timer)
    await session.close("left")
    host.close()
  })
  return { id: identity.member, alone }
}

test.each(["majority", "tgdh"] as const)(
  "%s: a stranger with the link, whose program enters all the same, meets nobody, and the members are told",
  async (keyAgreement) => {
    const [ada, bob] = [await person("Ada"), await person("Bob")]
    const admission = { policy: "roster", members: [bob.card] } as const
    const conference = await Conference.create({ server: SERVER, identity: ada, keyAgreement, admission })
    const refused = new Promise<SecurityEvent>((resolve) => conference.on("security", resolve))
    const stranger = await intrude(conference.invitation.url, "self")
    expect(await refused).toMatchObject({ code: "not-admitted", member: stranger.id })
    await stranger.alone
    const joined = await Conference.join({ url: conference.invitation.url, identity: bob })
    await new Promise<void>((resolve) => {
      joined.on("view", ({ members }) => members.length === 2 && resolve())
    })
    expect(conference.view.members.map(({ name }) => name).sort()).toEqual(["Ada", "Bob"])
  },
)

test("a stranger with the link of a conference for certified people, and a certificate of its own making, meets nobody", async () => {
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
  const stranger = await intrude(conference.invitation.url, "self")
  const event = { code: "not-admitted", member: stranger.id, detail: expect.stringContaining("wrong-authority") }
  expect(await refused).toMatchObject(event)
  await stranger.alone
  expect(conference.view.members.map(({ name }) => name)).toEqual(["Ada"])
})

test("a stranger who shows a named person's certificate, without the key, is a forger and meets nobody", async () => {
  const [ada, bob] = [await person("Ada"), await person("Bob")]
  const admission = { policy: "roster", members: [bob.card] } as const
  const conference = await Conference.create({ server: SERVER, identity: ada, keyAgreement: "majority", admission })
  const forged = new Promise<SecurityEvent>((resolve) => conference.on("security", resolve))
  const stranger = await intrude(conference.invitation.url, "Bob")
  expect((await forged).code).toBe("forged-signal")
  await stranger.alone
  expect(conference.view.members.map(({ name }) => name)).toEqual(["Ada"])
})
