/** Admission as a machine: inputs and outputs, without keys, clocks and links. */
import type { MemberId, View } from "@keymoot/transport"
import { expect, test } from "vitest"
import { AdmissionCore, type AdmissionCoreConfig } from "../../src/admission/admission-core.ts"
import type { AdmissionInput, AdmissionOutput } from "../../src/admission/admission-io.ts"
import { keyOf, printOf } from "../../src/admission/entry-rules.ts"
import type { NeighbourUp } from "../../src/admission/gate.ts"
import { commitmentOf } from "../../src/admission/statements/statement.ts"
import { VOUCH_AGAIN_MS } from "../../src/admission/statements/vouch.ts"
import type { Standing } from "../../src/admission/statements/standing.ts"
import { createCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import { openIdentity } from "../../src/identity/own-identity.ts"
import { VerifiedPeople } from "../../src/identity/verified-people.ts"
import { UNANSWERED_MAX } from "../../src/outside/outside-talk.ts"

const person = (name: string) => {
  const publicKey = new Uint8Array(32).fill(name.charCodeAt(0))
  return { member: name.padStart(32, "0") as MemberId, publicKey, certificate: publicKey, name }
}
const [self, host, bob] = [person("a"), person("h"), person("b")]
const secret = new Uint8Array(16).fill(7)
const scope = { conferenceId: new Uint8Array(16), descriptorHash: new Uint8Array(32) }
const members = [self, bob].map(({ member: id }) => ({ id, incarnation: 1 }))
const view = { id: "", epoch: 1, members, attachments: new Map() }

function standingOf(parts: Partial<Standing> = {}): Standing {
  const none = { removed: new Set(), everAdmitted: new Set(), stayed: new Set(), contradicting: new Set() }
  const hosts = [keyOf(host)]
  const standing = {
    digest: "00",
    hosts,
    everHosts: new Set(hosts),
    tickets: [],
    generation: null,
    closed: false,
    end: { atMs: 1000, by: null },
  }
  return { ...none, ...standing, ...parts } as unknown as Standing
}
const ticketFor = (guest: typeof bob) => ({ subject: keyOf(guest), fingerprint: printOf(guest), expiresAtMs: 1000 })
const linkWith = ({ member: peer, ...credential }: typeof bob): NeighbourUp =>
  ({
    type: "linkUp",
    peer,
    incarnation: 1,
    credential: { member: peer, ...credential },
    keys: {},
  }) as unknown as NeighbourUp

/** The people that this member has verified, each under a name. */
async function verifiedAs(...verified: readonly (readonly [typeof bob, string])[]): Promise<VerifiedPeople> {
  const store = createMemoryStore()
  const { id, signer, publicKey } = await openIdentity({ name: "Me", store })
  const people = await VerifiedPeople.open({ store, id, signer, publicKey, checker: createCredentialChecker() })
  for (const [{ publicKey: key }, name] of verified) await people.verify(key, name, 1)
  return people
}
const nobody = await verifiedAs()

/** A member of a conference with approval. `holds`: whether it has the present invitation's secret. */
function machine({
  standing = standingOf({ tickets: [ticketFor(self)] as never }),
  holds = false,
  people = nobody,
} = {}) {
  const held: Uint8Array[] = holds ? [secret] : []
  const core = new AdmissionCore({
    descriptor: { admission: { policy: "approval" } },
    self,
    scope,
    invitations: {
      url: () => "",
      keys: [{}],
      isUnproven: () => false,
      isPresent: () => false,
      present: () => held[0] ?? null,
      add: (given: Uint8Array) => void held.push(given),
      follow: () => undefined,
    },
    known: { get: (id: MemberId) => [self, bob, host].find(({ member }) => member === id) },
    people,
    standing,
    wallMs: 0,
  } as unknown as AdmissionCoreConfig)
  const step = (...inputs: AdmissionInput[]): AdmissionOutput[] => inputs.flatMap((input) => core.step(input))
  const types = (...inputs: AdmissionInput[]): string[] => step(...inputs).map(({ type }) => type)
  return { core, step, types }
}

test("passes a neighbour to the group once a host's ticket admits it", () => {
  const { types, core } = machine()
  expect(types(linkWith(bob))).toEqual(["notify", "state"])
  expect(core.gate.isInside(bob.member)).toBe(false)
  const standing = standingOf({ tickets: [ticketFor(self), ticketFor(bob)] as never })
  expect(types({ type: "standing", standing, vouch: null })).toEqual(["notify", "pass", "keep", "roles", "changeView"])
  expect(core.gate.isInside(bob.member)).toBe(true)
})

test("takes a neighbour with an expired ticket from the group; expels it if refused", () => {
  const { step, core } = machine({ standing: standingOf({ tickets: [self, bob].map(ticketFor) as never }) })
  step({ type: "tick", nowMs: 0, wallMs: 0 }, linkWith(bob), { type: "tick", nowMs: 50, wallMs: 1000 })
  expect(core.gate.isInside(bob.member)).toBe(true)
  const standing = standingOf({ hosts: [keyOf(self)], tickets: [ticketFor(bob)] as never, digest: "01" })
  const outputs = step({ type: "standing", standing, vouch: null })
  expect(outputs).toContainEqual({ type: "pass", output: expect.objectContaining({ type: "linkDown" }) })
  expect(core.state.knocks.map(({ id }) => id)).toEqual([bob.member])
  step({ type: "refuse", member: bob.member })
  const late = step({ type: "tick", nowMs: 2000, wallMs: 3000 })
  expect(late).toContainEqual(expect.objectContaining({ type: "expel", member: bob.member }))
})

test("warns a host when a person knocks under the present name of a verified member", async () => {
  const people = await verifiedAs([bob, "Robert"])
  const { step, core } = machine({ standing: standingOf({ hosts: [keyOf(self)] }), people })
  const mallory = person("m")
  step(linkWith(mallory), { type: "view", view: view as unknown as View })
  step({ type: "named", member: mallory.member, name: bob.name })
  expect(core.state.knocks).toMatchObject([{ name: bob.name, verified: false, changedKey: true }])
  // Bob has another telephone, and both codes have been compared.
  await people.verify(mallory.publicKey, bob.name, 2)
  expect(step({ type: "verified" }).map(({ type }) => type)).toEqual(["state"])
  expect(core.state.knocks).toMatchObject([{ verified: true, changedKey: false }])
})

test("warns a host when a verified person knocks under the name of another one", async () => {
  const people = await verifiedAs([bob, "Bob"], [host, "Ada"])
  const { step, core } = machine({ standing: standingOf({ hosts: [keyOf(self)] }), people })
  step(linkWith(bob))
  const knocksAs = (name: string) => {
    step({ type: "named", member: bob.member, name })
    return core.state.knocks
  }
  expect(knocksAs("Ada")).toMatchObject([{ name: "Ada", verified: false, changedKey: true }])
  expect(knocksAs("Carol")).toMatchObject([{ name: "Carol", verified: false, changedKey: false }])
  expect(knocksAs("bob")).toMatchObject([{ name: "bob", verified: true, changedKey: false }])
})

test("warns a host when a verified person knocks under the present name of another", async () => {
  const carol = person("c")
  const people = await verifiedAs([carol, "Carol"], [bob, "Robert"])
  const { step, core } = machine({ standing: standingOf({ hosts: [keyOf(self)] }), people })
  step(linkWith(carol), { type: "view", view: view as unknown as View })
  step({ type: "named", member: carol.member, name: bob.name })
  expect(core.state.knocks).toMatchObject([{ name: bob.name, verified: false, changedKey: true }])
})

test("asks for another view when statements came after its part in the present one", () => {
  const { types, step } = machine({ standing: standingOf({ digest: "00".repeat(32) }) })
  const begun = { ...view, attachments: new Map([[self.member, new Uint8Array(40)]]) } as unknown as View
  expect(types({ type: "secured", view: begun })).not.toContain("changeView")
  step({ type: "standing", standing: standingOf({ digest: "01".repeat(32) }), vouch: null })
  expect(types({ type: "secured", view: begun })).toContain("changeView")
})

test("announces that a host has removed this member, and asks for no view", () => {
  const { types } = machine()
  const standing = standingOf({ removed: new Set([keyOf(self)]) })
  const outputs = types({ type: "standing", standing, vouch: null })
  expect(outputs).toContain("out")
  expect(outputs).not.toContain("changeView")
})

test("believes a refusal of a linked host only, and only while it waits", () => {
  const waiting = machine({ standing: standingOf() })
  waiting.step(linkWith(host), linkWith(bob))
  expect(waiting.types({ type: "refusal", from: bob.member })).toEqual([])
  expect(waiting.types({ type: "refusal", from: host.member })).toEqual(["out"])
  const inside = machine()
  inside.step(linkWith(host))
  expect(inside.types({ type: "refusal", from: host.member })).toEqual([])
})

test("sends the present secret once to a neighbour that was admitted without it", () => {
  const said = { commitment: commitmentOf(secret, scope), staying: [], generation: 1 }
  const standing = standingOf({ generation: { said } as never, tickets: [self, bob].map(ticketFor) as never })
  const { step } = machine({ standing, holds: true })
  const invitations = (outputs: AdmissionOutput[]) =>
    outputs.filter((output) => output.type === "notify" && output.notice.type === "invitation").length
  expect(invitations(step(linkWith(bob)))).toBe(1)
  expect(invitations(step({ type: "standing", standing, vouch: null }, linkWith(bob)))).toBe(0)
})

/** A vouch of the machine's own identity. `bytes` stand for the signed ones. */
const ownVouch = (digest: string, saidAtMs: number) => ({
  issuer: keyOf(self),
  digest,
  saidAtMs,
  bytes: new Uint8Array([saidAtMs]),
})

test("keeps its last vouch when a neighbour returns an older one with the statements", () => {
  const { step } = machine({ standing: standingOf({ hosts: [keyOf(self)] }) })
  step({ type: "tick", nowMs: 0, wallMs: 3 }, linkWith(bob), { type: "vouch", vouch: ownVouch("00", 2) })
  const standing = standingOf({ hosts: [keyOf(self)], digest: "01" })
  const outputs = step(
    { type: "vouch", vouch: ownVouch("01", 3) },
    { type: "standing", standing, vouch: ownVouch("01", 1) },
  )
  const vouch = ownVouch("01", 3).bytes
  expect(outputs).toContainEqual({ type: "notify", to: [bob.member], notice: { type: "statements", vouch } })
})

test("sends nothing and vouches on time when a neighbour returns its own vouches", () => {
  const { step, types } = machine({ standing: standingOf({ hosts: [keyOf(self)] }) })
  expect(types({ type: "tick", nowMs: 0, wallMs: 3 })).toContain("vouchDue")
  step(linkWith(bob), { type: "vouch", vouch: ownVouch("00", 3) })
  step({ type: "tick", nowMs: VOUCH_AGAIN_MS - 1, wallMs: 3 })
  expect(types({ type: "vouch", vouch: ownVouch("00", 2) }, { type: "vouch", vouch: ownVouch("00", 3) })).toEqual([])
  expect(types({ type: "tick", nowMs: VOUCH_AGAIN_MS, wallMs: 3 })).toContain("vouchDue")
})

test("vouches on time when a neighbour returns a vouch of an earlier incarnation", () => {
  const { types } = machine({ standing: standingOf({ hosts: [keyOf(self)] }) })
  types({ type: "vouch", vouch: ownVouch("00", 1) })
  expect(types({ type: "tick", nowMs: 0, wallMs: 3 })).toContain("vouchDue")
})

test("takes a secret only if a host has committed to it", () => {
  const said = { commitment: commitmentOf(secret, scope), staying: [], generation: 1 }
  const { types } = machine({ standing: standingOf({ generation: { said } as never }) })
  expect(types({ type: "secret", secret: new Uint8Array(16) })).toEqual(["state"])
  expect(types({ type: "secret", secret })).toContain("keep")
})

test("sends the secret to a secured view once, if this member is the lowest", () => {
  const said = { commitment: commitmentOf(secret, scope), staying: [keyOf(bob)], generation: 1 }
  const standing = standingOf({ generation: { said } as never, tickets: [ticketFor(self)] as never })
  const { step, types } = machine({ standing, holds: true })
  step(linkWith(bob))
  const secured = { ...view, transitional: [self.member] } as unknown as View
  expect(types({ type: "secured", view: secured })).toEqual(["sendSecret"])
  expect(types({ type: "secured", view: secured })).toEqual([])
})

test("sends the secret to a view again when a member returns", () => {
  const said = { commitment: commitmentOf(secret, scope), staying: [keyOf(bob)], generation: 1 }
  const standing = standingOf({ generation: { said } as never, tickets: [ticketFor(self)] as never })
  const { step, types } = machine({ standing, holds: true })
  step(linkWith(bob))
  const together = { ...view, transitional: [self.member] } as unknown as View
  const alone = { ...together, members: members.slice(0, 1) } as unknown as View
  const sent = [together, alone, together, together].map((secured) => types({ type: "secured", view: secured }))
  expect(sent).toEqual([["sendSecret"], [], ["sendSecret"], []])
})

test("repeats its statements to a coordinator at most once a second", () => {
  const { types } = machine()
  const unadmitted = { type: "unadmitted", coordinator: bob.member } as const
  expect(types(unadmitted, unadmitted).filter((type) => type === "notify")).toHaveLength(1)
  expect(types({ type: "tick", nowMs: 1000, wallMs: 0 }, unadmitted)).toContain("notify")
})

test("calls a member an obstructor after it has reported other statements in six views", () => {
  const { types } = machine()
  const differing = { type: "differing", view, members: [self.member, bob.member] } as unknown as AdmissionInput
  const counts = Array.from({ length: 6 }, () => types(differing).filter((type) => type === "obstructed").length)
  expect(counts).toEqual([0, 0, 0, 0, 0, 1])
})

test("lets a view with equal statements agree on its key, however long that takes", () => {
  const { types } = machine()
  const tickAt = (nowMs: number): AdmissionInput => ({ type: "tick", nowMs, wallMs: 0 })
  const differing = { type: "differing", view, members: [bob.member] } as unknown as AdmissionInput
  types(tickAt(0), differing, tickAt(0))
  expect(types(tickAt(500))).toContain("replaceView")
  types({ type: "view", view: view as unknown as View })
  expect(types(tickAt(1000), tickAt(2000))).not.toContain("replaceView")
})

test("a waiting person may write again when the last host has gone and returns", () => {
  const { core, step } = machine({ standing: standingOf({ hosts: [keyOf(host), keyOf(bob)] }) })
  step(linkWith(host), linkWith(bob))
  for (let line = 0; line < UNANSWERED_MAX; line++) step({ type: "wrote", text: "May I come in?" })
  step({ type: "linkDown", peer: host.member, reason: "its page was reloaded" })
  expect(core.talk.mayWrite).toBe(false)
  step({ type: "linkDown", peer: bob.member, reason: "its page was reloaded" }, linkWith(bob))
  expect(core.talk.mayWrite).toBe(true)
})
