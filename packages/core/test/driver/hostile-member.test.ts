import type { Element } from "@keymoot/gke"
import { decodeFrame, decodeLinkMessage, encodeLinkMessage, type View } from "@keymoot/transport"
import { test, type TestContext } from "vitest"
import { CREDENTIALS_KNOWN_MAX, signFrame } from "../../src/frames/frame-opener.ts"
import { decodeAgreementBody } from "../../src/secure-group/agreement-body.ts"
import { FAILED_PROOF_VIEWS_MAX } from "../../src/secure-group/secure-group.ts"
import { RekeyTimer } from "../../src/driver/key-renewal.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import { openIdentity } from "../../src/identity/own-identity.ts"
import { DriverRoom, keys, primeGroup, type DriverMember, type RoomOptions, type Sent } from "./driver-harness.ts"

/** Those of a test, and their room until it ends. */
async function securedRoom(
  { expect, onTestFinished }: TestContext,
  names: readonly string[],
  options: RoomOptions = {},
): Promise<{ room: DriverRoom; members: DriverMember[] }> {
  const room = new DriverRoom(options)
  onTestFinished(() => room.close())
  const members: DriverMember[] = []
  for (const name of names) members.push(await room.join(name))
  await expect.poll(() => members.every(({ secured }) => secured.at(-1) === names.length)).toBe(true)
  return { room, members }
}

test("strangers who come and go, however many, make nobody forget who is in the view", async (context) => {
  const { expect } = context
  const { room, members } = await securedRoom(context, ["Ada", "Bob", "Carl"])
  const [ada, bob, carl] = members as [DriverMember, DriverMember, DriverMember]
  for (let i = 0; i < CREDENTIALS_KNOWN_MAX + 8; i++) {
    const { member, certificate, publicKey } = await openIdentity({
      name: `Stranger ${i}`,
      store: createMemoryStore(),
    })
    const credential = { member, certificate, publicKey }
    ada.driver.handle({ type: "linkUp", peer: member, incarnation: 1, credential, keys, features: [] })
    ada.driver.handle({ type: "linkDown", peer: member, reason: "gone" })
  }
  room.exclude(carl)
  await expect.poll(() => [ada, bob].map(({ secured }) => secured.at(-1))).toEqual([2, 2])
  await ada.say("still here")
  await expect.poll(() => bob.texts).toContain("still here")
})

test("a member whose part in the key is garbage is left out, and the others have a key", async (context) => {
  const { expect } = context
  const { room, members } = await securedRoom(context, ["Ada", "Bob"])
  const [ada, bob] = members as [DriverMember, DriverMember]
  const garbage = { ...primeGroup, multiplyBase: () => new Uint8Array(32).fill(0xff) as Element }
  const eve = await room.join("Eve", garbage)
  const blamed = (): unknown[] =>
    ada.events.flatMap((event) =>
      event.type === "security" && event.event.code === "agreement-fault" ? event.event.member : [],
    )
  await expect.poll(blamed).toContain(eve.id)
  await expect.poll(() => Math.max(...[ada, bob].map(({ driver }) => driver.view.members.length))).toBe(2)
  await ada.say("without her")
  await expect.poll(() => bob.texts).toContain("without her")
})

test("leaves out a member when its link is given up for withheld acknowledgements", async (context) => {
  const { expect } = context
  const { members } = await securedRoom(context, ["Ada", "Bob", "Carl"])
  const [withholding, ...others] = [...members].sort((a, b) => (a.id < b.id ? 1 : -1)) as [
    DriverMember,
    ...DriverMember[],
  ]
  for (const { driver } of others) driver.handle({ type: "obstructed", peer: withholding.id })
  await expect.poll(() => others.every(isSecuredByTwo)).toBe(true)
  await others[0]!.say("without the withholding one")
  await expect.poll(() => others[1]!.texts).toContain("without the withholding one")
})

// At the same time: they wait for the others' patience to end.
test.concurrent.for([0, 1, 2])(
  "a member that says nothing about the key (joined as number %i) is left out, and the others have one",
  async (place, context) => {
    const { expect } = context
    const { room, members } = await securedRoom(context, ["Ada", "Bob", "Carl"])
    const silent = members[place]!
    const others = members.filter((member) => member !== silent)
    room.mute(silent)
    // A new key is wanted; the lowest sees to it.
    for (const { driver } of members) driver.refresh()
    await expect.poll(() => others.every(({ isSecured }) => !isSecured)).toBe(true)
    const without = (): boolean => others.every(({ isSecured, secured }) => isSecured && secured.at(-1) === 2)
    await expect.poll(without).toBe(true)
    await others[0]!.say("without the silent one")
    await expect.poll(() => others[1]!.texts).toContain("without the silent one")
  },
)

test("without a key, the lowest member retries, and the others finally exclude it", async (context) => {
  const { expect } = context
  const { members } = await securedRoom(context, ["Ada", "Bob"])
  const [ada, bob] = members as [DriverMember, DriverMember]
  const { view } = ada.driver
  const [lowest, other] = view.members.map(({ id }) => id)
  const [atLowest, atOther] = [new RekeyTimer(), new RekeyTimer()]
  const due = (nowMs: number, progress = 0) => [
    atLowest.due(nowMs, { view, self: lowest!, progress }),
    atOther.due(nowMs, { view, self: other!, progress }),
  ]
  expect(due(0)).toEqual([null, null])
  expect(due(10_000)).toEqual(["stalled", "stalled"])
  expect(due(11_000)).toEqual([null, null])
  expect(due(30_000)).toEqual(["lowest-fails", "lowest-fails"])
  atOther.onStatus("secured", view)
  for (const nowMs of [31_000, 90_000]) expect(due(nowMs)[1]).toBe(null)
  for (const timer of [atLowest, atOther]) timer.onStatus("agreeing", view)
  // While it makes progress it takes its time, but not for ever.
  for (let step = 0; step < 4; step++) expect(due(100_000 + 6_000 * step, step)).toEqual([null, null])
  expect(due(124_000, 4)).toEqual(["stalled", "stalled"])
  expect(bob.driver.view.id).toBe(view.id)
})

type Body = NonNullable<ReturnType<typeof decodeAgreementBody>>

/** A frame about the key with such a body. */
function agreementFrame({ bytes }: Sent, about: Body["type"]) {
  const message = decodeLinkMessage(bytes)
  const frame = message?.type === "frame" ? decodeFrame(message.bytes) : null
  return frame?.kind === "agreement" && decodeAgreementBody(frame.message.body)?.type === about ? frame : null
}

/** `by` signs another body for such a message, in which one byte differs. */
async function changed(sent: Sent, by: DriverMember, about: Body["type"], at: number): Promise<Uint8Array> {
  const frame = sent.from === by.id ? agreementFrame(sent, about) : null
  if (!frame) return sent.bytes
  const { body, dependencies } = frame.message
  const message = { dependencies, body: body.with(at, body.at(at)! ^ 1) }
  const signed = await signFrame(frame, { kind: "agreement", message }, (bytes) => by.identity.signer.sign(bytes))
  return encodeLinkMessage({ type: "frame", bytes: signed.bytes })
}

/** Views of a member, from the present one on. */
function viewsFrom({ events }: DriverMember): () => View[] {
  const from = events.length
  return () => events.slice(from).flatMap((event) => (event.type === "agreeing" ? [event.view] : []))
}

const isSecuredByTwo = ({ isSecured, secured }: DriverMember): boolean => isSecured && secured.at(-1) === 2

const LATER = { timeout: 30_000 }

test("a controller with two versions of its message gets itself left out, not a victim", async (context) => {
  const { expect } = context
  const { room, members } = await securedRoom(context, ["Ada", "Bob", "Carl"], { module: "ckd" })
  const { from } = room.sent.findLast((sent) => agreementFrame(sent, "message"))!
  const controller = members.find(({ id }) => id === from)!
  const [other, victim] = members.filter((member) => member !== controller) as [DriverMember, DriverMember]
  // The byte belongs to the seal for the other one.
  const at = other.id < victim.id ? 40 : -1
  room.tamper = (sent) => (sent.to === victim.id ? changed(sent, controller, "message", at) : sent.bytes)
  const views = [other, victim].map(viewsFrom)
  for (const { driver } of members) driver.refresh()
  await expect.poll(() => [other, victim].every(isSecuredByTwo), LATER).toBe(true)
  for (const view of views.flatMap((of) => of())) {
    const ids = view.members.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([other.id, victim.id]))
  }
})

test("a member whose proofs of the key are false is left out after a few views", async (context) => {
  const { expect } = context
  const { room, members } = await securedRoom(context, ["Ada", "Bob", "Carl"])
  const [liar, ...others] = [...members].sort((a, b) => (a.id < b.id ? 1 : -1)) as [DriverMember, ...DriverMember[]]
  room.tamper = (sent) => changed(sent, liar, "confirmation", -1)
  const views = viewsFrom(others.at(-1)!)
  for (const { driver } of members) driver.refresh()
  await expect.poll(() => others.every(isSecuredByTwo), LATER).toBe(true)
  expect(views().filter(({ members }) => members.length === 3)).toHaveLength(FAILED_PROOF_VIEWS_MAX)
})
