import {
  draftFrame,
  frameDigest,
  signedBytes,
  type Frame,
  type FramePayload,
  type MemberId,
  type Sync,
  type ViewId,
} from "@keymoot/transport"
import { beforeAll, beforeEach, expect, test } from "vitest"
import { FrameOpener } from "../../src/frames/frame-opener.ts"
import { createCredentialChecker, type MemberCredential } from "../../src/identity/certificates/credential-checker.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import { openIdentity, type OwnIdentity } from "../../src/identity/own-identity.ts"
import { LruMap } from "../../src/wire/index.ts"

const conferenceTag = new Uint8Array(32).fill(7)
const view = "11".repeat(32) as ViewId

let people: readonly OwnIdentity[]
let verifications: number
let charged: number
const charge = (signatures: number): void => void (charged += signatures)
let opener: FrameOpener
let proposal: Sync["proposal"]

beforeAll(async () => {
  const open = (name: string) => openIdentity({ name, store: createMemoryStore() })
  people = await Promise.all(["Ada", "Bob", "Carl"].map(open))
})

beforeEach(() => {
  const checker = createCredentialChecker()
  verifications = 0
  charged = 0
  const counting = {
    ...checker,
    verify: (key: Uint8Array, bytes: Uint8Array, signature: Uint8Array) => {
      verifications++
      return checker.verify(key, bytes, signature)
    },
  }
  const known = new LruMap<MemberId, MemberCredential>(8)
  for (const person of people) known.set(person.member, person)
  proposal = { epoch: 2, coordinator: people[0]!.member }
  opener = new FrameOpener(conferenceTag, known, counting)
})

async function signed(by: OwnIdentity, payload: FramePayload): Promise<Frame> {
  const draft = draftFrame({ conferenceTag, view, origin: by.member, service: "none", sequence: 0, ...payload })
  return draft.sign(await by.signer.sign(signedBytes(frameDigest(draft))))
}

function syncOf(by: OwnIdentity): Promise<Frame> {
  const message: Sync = {
    proposal,
    membersDigest: new Uint8Array(32),
    previousView: view,
    incarnation: 1,
    received: [0, 0, 0],
    receivedDigest: new Uint8Array(32),
    orderFirst: 0,
    order: [],
    deliveredOrder: 0,
    nonce: new Uint8Array(16),
    features: [],
    attachment: new Uint8Array(40),
  }
  return signed(by, { kind: "sync", message })
}

async function setOf(kind: "cut" | "install", syncs: readonly Frame[], by = people[0]!): Promise<Frame> {
  return signed(by, { kind, message: { proposal, syncs: syncs.map(({ bytes }) => bytes) } })
}

/** As it was, but for its signature. */
function spoilt(frame: Frame): Uint8Array {
  const bytes = frame.bytes.slice()
  bytes[bytes.length - 1]! ^= 1
  return bytes
}

test("an INSTALL brings SYNCs: each is verified once, and one's own not at all", async () => {
  const syncs = await Promise.all(people.map(syncOf))
  opener.trust(syncs[1]!)
  const opened = await opener.open((await setOf("cut", syncs)).bytes, charge)
  expect(typeof opened === "object" && opened.syncs.map(({ origin }) => origin)).toEqual(
    people.map(({ member }) => member),
  )
  expect(verifications).toBe(1 + 2)
  await opener.open((await setOf("install", syncs)).bytes, charge)
  expect(verifications).toBe(1 + 2 + 1)
})

test("remembers a verification for its signature alone", async () => {
  const syncs = await Promise.all(people.map(syncOf))
  for (const sync of syncs) opener.trust(sync)
  const other = await signed(people[0]!, {
    kind: "install",
    message: { proposal, syncs: [syncs[0]!.bytes, spoilt(syncs[1]!), syncs[2]!.bytes] },
  })
  expect(await opener.open(other.bytes, charge)).toBe("bad-signature")
  // Trusted is the SYNC, not whatever else its author signs.
  expect(await opener.open(spoilt(await setOf("install", syncs)), charge)).toBe("bad-signature")
})

test("looks for nobody when the named member has not signed an INSTALL", async () => {
  const stranger = await openIdentity({ name: "Dora", store: createMemoryStore() })
  const install = await setOf("install", [await syncOf(stranger)])
  const wanted: MemberId[] = []
  const find = async (member: MemberId) => {
    wanted.push(member)
    return stranger
  }
  expect(await opener.open(spoilt(install), charge, find)).toBe("bad-signature")
  expect(wanted).toEqual([])
  expect(await opener.open(install.bytes, charge, find)).toMatchObject({ syncs: [{ origin: stranger.member }] })
  expect(wanted).toEqual([stranger.member])
})

test("charges for every signature inside a frame, also when the frame's own is false", async () => {
  const syncs = await Promise.all(people.map(syncOf))
  await opener.open(spoilt(await setOf("install", syncs)), charge)
  expect(charged).toBe(syncs.length)
  const bodies = Array.from({ length: 64 }, () => new Uint8Array(100))
  const numbers = { incarnation: 1, base: 1, first: 1, peerIncarnation: 1, acknowledged: 0 }
  const message = { to: people[1]!.member, bodies, ...numbers }
  await opener.open((await signed(people[0]!, { kind: "roster", message })).bytes, charge)
  expect(charged).toBe(syncs.length + bodies.length)
})

test("charges a proposal of majority for the multiplications that its check costs", async () => {
  const owners = 65
  // An owner, its offer (an element, a key and a signature) and a difference.
  const proposal = new Uint8Array(owners * (2 + 32 + 32 + 64 + 32))
  const numbers = { incarnation: 1, base: 1, first: 1, peerIncarnation: 1, acknowledged: 0 }
  const message = { to: people[1]!.member, bodies: [proposal, proposal], ...numbers }
  await opener.open((await signed(people[0]!, { kind: "roster", message })).bytes, charge)
  expect(charged).toBeGreaterThanOrEqual(2 * owners)
})
