/**
 * A proposal by or with a person whom a host has removed: members that know of it refuse it, and answer with the host's
 * statements. These are whole engines; their messages are read before they are sealed.
 */
import { decodeFrame, decodeLinkMessage, Mesh, type MemberId } from "@keymoot/transport"
import { afterEach, expect, test, vi } from "vitest"
import { Conference } from "../../src/client/conference.ts"
import type { Identity } from "../../src/client/identity.ts"
import type { OwnIdentity } from "../../src/identity/own-identity.ts"
import { Room, SERVER, securedWith } from "../conference-run/harness.ts"
import { newcomer } from "../identity/people.ts"
import { intrude } from "./intruder.ts"

let room = new Room()
let goHome: (() => Promise<void>) | null = null
const closing: Identity[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  await goHome?.()
  goHome = null
  for (const identity of closing.splice(0)) await identity.close()
  await room.close()
  room = new Room()
})

const WAIT = { timeout: 60_000 }

type Said = { readonly what: string; readonly by: MemberId | null; readonly to: MemberId; readonly of: MemberId[] }

type Way = "goes" | "waits" | "is-lost"

/** Everything that is sent over a link from now on, and what becomes of it. Returns what lets go of what waits. */
function overhear(way: (said: Said) => Way = () => "goes"): { readonly said: Said[]; readonly release: () => void } {
  const said: Said[] = []
  const waiting: (() => void)[] = []
  const send = Mesh.prototype.send
  vi.spyOn(Mesh.prototype, "send").mockImplementation(function (this: Mesh, to, bytes, options) {
    const message = decodeLinkMessage(bytes)
    const frame = message?.type === "frame" ? decodeFrame(message.bytes) : null
    const of = frame?.kind === "propose" ? frame.message.members.map(({ id }) => id) : []
    const one = { what: frame?.kind ?? message?.type ?? "direct", by: frame?.origin ?? null, to, of }
    const go = (): boolean => {
      said.push(one)
      return send.call(this, to, bytes, options)
    }
    const goes = way(one)
    if (goes === "goes") return go()
    if (goes === "waits") waiting.push(go)
    return true
  })
  return { said, release: () => waiting.splice(0).forEach((go) => go()) }
}

/** Views that begin from now on, secured or not, in which these are together. */
function viewsWith(conferences: readonly Conference[], ...members: MemberId[]): string[] {
  const found: string[] = []
  for (const conference of conferences) {
    const present = conference.view.id
    conference.on("status", (view) => {
      const ids = view.members.map(({ id }) => id)
      if (view.id !== present && members.every((member) => ids.includes(member))) found.push(conference.self.name)
    })
  }
  return found
}

/** Whose place is before all of these: it proposes where it is. */
async function lowest(name: string, ...others: MemberId[]): Promise<OwnIdentity> {
  for (;;) {
    const identity = await newcomer(name)
    if (others.every((other) => identity.member < other)) return identity
  }
}

test("a removed member's proposals are refused, and it is sent the reason", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  const mallory = await lowest("Mallory", ada.self.id, bob.self.id)
  goHome = await intrude(room.network, {
    url: ada.invitation.url,
    identity: mallory,
    // Nothing that Ada says as a host counts there.
    believes: (descriptor) => ({ ...descriptor, creator: mallory }),
    onEvent: () => undefined,
  })
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 3)))

  const { said } = overhear()
  const together = viewsWith([ada, bob], mallory.member)
  await ada.remove(mallory.member)
  const proposed = ({ what, by, of }: Said): boolean =>
    what === "propose" && by === mallory.member && (of.includes(ada.self.id) || of.includes(bob.self.id))
  await expect.poll(() => said.some(proposed), WAIT).toBe(true)
  await expect.poll(() => said.some(({ what, to }) => what === "outOfGroup" && to === mallory.member), WAIT).toBe(true)
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  await ada.channel("chat").send("without her")
  expect(together).toEqual([])
})

/** Until the draw is as it is wanted. */
async function identityWhere(name: string, isWanted: (member: MemberId) => boolean): Promise<Identity> {
  for (;;) {
    const identity = await room.openIdentity(name)
    if (isWanted(identity.member)) {
      closing.push(identity)
      return identity
    }
    await identity.close()
  }
}

test("a proposal with a removed person is refused, with the host's statement", async () => {
  // Bob is the lowest: he proposes.
  const middle = "8".repeat(32)
  const bobIdentity = await identityWhere("Bob", (id) => id < middle)
  const others = (id: MemberId): boolean => id > bobIdentity.member
  const ada = await Conference.create({ server: SERVER, identity: await identityWhere("Ada", others) })
  const { url } = ada.invitation
  const bob = await Conference.join({ url, identity: bobIdentity })
  const eve = await Conference.join({ url, identity: await identityWhere("Eve", others) })
  await Promise.all([ada, bob, eve].map((conference) => securedWith(conference, 3)))

  // Cleo comes, and what Bob proposes is under way to Ada when she removes Eve; of that he hears in answer at the earliest.
  let removed = false
  const held: Said[] = []
  const isProposal = ({ what, by, to, of }: Said): boolean =>
    what === "propose" && by === bob.self.id && to === ada.self.id && of.includes(eve.self.id)
  const { said, release } = overhear((one) => {
    if (isProposal(one) && !removed) held.push(one)
    if (removed) return "goes"
    if (one.what === "outOfGroup") return "is-lost"
    return isProposal(one) ? "waits" : "goes"
  })
  const cleo = await Conference.join({ url, identity: await identityWhere("Cleo", others) })
  await expect.poll(() => held.length, WAIT).toBeGreaterThan(0)
  const together = viewsWith([ada, bob, eve, cleo], ada.self.id, eve.self.id)
  const out = new Promise((resolve) => eve.on("closed", resolve))
  await ada.remove(eve.self.id)
  removed = true
  release()

  const answers = (): string[] =>
    said
      .slice(said.findIndex(isProposal))
      .filter(({ to, by }) => to === bob.self.id && (by === ada.self.id || by === null))
      .map(({ what }) => what)
  await expect.poll(answers, WAIT).toEqual(expect.arrayContaining(["nack", "outOfGroup"]))
  expect(await out).toBe("removed")
  await Promise.all([ada, bob, cleo].map((conference) => securedWith(conference, 3)))
  expect(together).toEqual([])
})
