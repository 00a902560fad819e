/**
 * Two members meet, say something and ask for it again: every kind of frame of a view once, as bytes. The same that
 * docs/protocol/v1.md shows; keys, nonces and ids are fixed.
 */
import { ed25519 } from "@noble/curves/ed25519.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { computeViewId, digestOfMembers, voidViewId } from "../../src/view/view.ts"
import { memberIdFromBytes, type MemberId } from "../../src/members/ids.ts"
import {
  decodeFrame,
  encodeFrame,
  encodeLinkMessage,
  encodeStaticPart,
  frameDigest,
  signedBytes,
  type Frame,
  type FrameHeader,
  type FramePayload,
  type LinkMessage,
} from "../../src/wire/frame.ts"
import {
  completeLinkRecord,
  encodeLinkRecord,
  invitationProof,
  signedLinkRecord,
} from "../../src/overlay/link-record.ts"
import { encodeOverlayMessage, gossipIdOf, type OverlayWireMessage } from "../../src/overlay/wire.ts"
import { NO_VIEW } from "../../src/wire/codec.ts"
import { HashChain } from "../../src/ordering/frame-store.ts"
import { CHAIN_BYTES, entryDigest, type Acknowledgement, type Sync } from "../../src/wire/messages.ts"

const conferenceTag = sha256(utf8ToBytes("sample conference"))
const secrets = new Map<MemberId, Uint8Array>()

function member(name: string, fill: number): { id: MemberId; incarnation: number } {
  const id = memberIdFromBytes(new Uint8Array(16).fill(fill))
  secrets.set(id, sha256(utf8ToBytes(`sample key of ${name}`)))
  return { id, incarnation: 1 }
}

export const ada = member("Ada", 0xa1)
export const bob = member("Bob", 0xb2)
const members = [ada, bob]
const proposal = { epoch: 1, coordinator: ada.id }

export function publicKeyOf(id: MemberId): Uint8Array {
  return ed25519.getPublicKey(secrets.get(id)!)
}

export function signed(
  header: Partial<FrameHeader> & Pick<FrameHeader, "origin" | "view">,
  payload: FramePayload,
): Frame {
  const staticPart = encodeStaticPart({ conferenceTag, service: "none", sequence: 0, ...header, ...payload })
  const signature = ed25519.sign(signedBytes(frameDigest({ staticPart })), secrets.get(header.origin)!)
  return decodeFrame(encodeFrame(staticPart, signature))!
}

function sync(of: typeof ada, nonce: number): Frame {
  const view = voidViewId(of)
  const message: Sync = {
    proposal,
    membersDigest: digestOfMembers(members),
    previousView: view,
    incarnation: of.incarnation,
    received: [0],
    receivedDigest: sha256(utf8ToBytes("keymoot v1 received\0")),
    orderFirst: 0,
    order: [],
    deliveredOrder: 0,
    nonce: new Uint8Array(16).fill(nonce),
    features: [],
    attachment: new Uint8Array(0),
  }
  return signed({ origin: of.id, view }, { kind: "sync", message })
}

const [adasSync, bobsSync] = [sync(ada, 1), sync(bob, 2)]
const installed = { proposal, syncs: [adasSync.bytes, bobsSync.bytes] }
const view = computeViewId(proposal, members, [adasSync, bobsSync].map(frameDigest))
const said = (
  service: FrameHeader["service"],
  origin: typeof ada,
  sequence: number,
  text: string,
  heard: number,
): Frame => {
  const dependencies = heard > 0 ? [{ member: origin === ada ? 1 : 0, count: heard }] : []
  const message = { dependencies, body: utf8ToBytes(text) }
  return signed({ origin: origin.id, view, service, sequence }, { kind: "data", message })
}
const hello = said("safe", ada, 1, "Hello, Bob", 0)
const entry = { sender: 0, sequence: 1, digest: frameDigest(hello) }
const holding: Acknowledgement = {
  view,
  received: [1, 0],
  orderLength: 1,
  acknowledged: 1,
  frameChains: concatBytes(chainOf(frameDigest(hello)), new Uint8Array(CHAIN_BYTES)),
  orderChain: chainOf(entryDigest(entry)),
}

function chainOf(digest: Uint8Array): Uint8Array {
  const chain = new HashChain()
  chain.append(digest)
  return chain.shown
}

export type Step = {
  readonly name: string
  readonly from: MemberId
  readonly message: LinkMessage
  readonly frame: Frame | null
}

function step(name: string, frame: Frame): Step {
  return { name, from: frame.origin, message: { type: "frame", bytes: frame.bytes }, frame }
}

export const session: readonly Step[] = [
  step(
    "PROPOSE",
    signed({ origin: ada.id, view: voidViewId(ada) }, { kind: "propose", message: { proposal, members } }),
  ),
  step("SYNC", bobsSync),
  step("INSTALL", signed({ origin: ada.id, view: voidViewId(ada) }, { kind: "install", message: installed })),
  step("a safe message", hello),
  step("ORDER", signed({ origin: bob.id, view }, { kind: "order", message: { first: 0, entries: [entry] } })),
  {
    name: "an acknowledgement",
    from: bob.id,
    message: { type: "acknowledgement", acknowledgement: holding },
    frame: null,
  },
  step("a causal answer", said("causal", bob, 1, "Hello, Ada", 1)),
  step("an unreliable message", said("unreliable", bob, 1, "pointer at 3, 4", 0)),
  {
    name: "a heartbeat",
    from: ada.id,
    message: {
      type: "heartbeat",
      heartbeat: {
        incarnation: 1,
        epoch: 1,
        promised: proposal,
        viewMembers: members,
        up: [bob.id],
        ...holding,
        received: [1, 0],
      },
    },
    frame: null,
  },
  step("FETCH", signed({ origin: ada.id, view }, { kind: "fetch", message: { proposal, sender: 1, from: 0, to: 1 } })),
  step(
    "NACK",
    signed(
      { origin: bob.id, view },
      { kind: "nack", message: { proposal, promised: { epoch: 2, coordinator: bob.id } } },
    ),
  ),
  step("CUT", signed({ origin: ada.id, view }, { kind: "cut", message: installed })),
  step("ACKCUT", signed({ origin: bob.id, view }, { kind: "ackCut", message: { proposal } })),
  step("LEAVE", signed({ origin: bob.id, view }, { kind: "leave", message: { incarnation: 1 } })),
]

/** Messages of the layer above: about a key, and, under majority, outside of views. */
const agreement = { dependencies: [], body: Uint8Array.of(1, 2, 3) }
const statement = {
  to: bob.id,
  incarnation: 1,
  base: 1,
  first: 2,
  bodies: [Uint8Array.of(4), Uint8Array.of(5, 6)],
  peerIncarnation: 1,
  acknowledged: 3,
}
export const upperLayer: readonly Step[] = [
  step(
    "a message about a key",
    signed({ origin: ada.id, view, service: "fifo", sequence: 2 }, { kind: "agreement", message: agreement }),
  ),
  step("a statement", signed({ origin: ada.id, view: NO_VIEW }, { kind: "roster", message: statement })),
]

/** The same two, if they were among many: what Ada tells of herself, and how what is said finds its way. */
const status = { incarnation: 1, epoch: 1, promised: proposal, viewMembers: [], up: [], ...holding }
const proofs = [invitationProof(new Uint8Array(32).fill(5), conferenceTag, ada.id, 1)]
const told = encodeLinkRecord({ origin: ada.id, incarnation: 1, sequence: 7, neighbours: [bob.id], proofs, status })
const record = completeLinkRecord(told, ed25519.sign(signedLinkRecord(conferenceTag, told), secrets.get(ada.id)!))

function overlayStep(name: string, from: MemberId, message: OverlayWireMessage): Step {
  return { name, from, message: { type: "overlay", bytes: encodeOverlayMessage(message) }, frame: null }
}

export const overlaySession: readonly Step[] = [
  overlayStep("a neighbour's heartbeat", bob.id, { kind: "discovery", message: { kind: "heartbeat", degree: 8 } }),
  overlayStep("link records", ada.id, { kind: "records", records: [record.bytes] }),
  overlayStep("an announcement", bob.id, { kind: "announce", ids: [gossipIdOf(hello)] }),
  overlayStep("a frame for one", ada.id, { kind: "routed", target: bob.id, hopsLeft: 16, frame: hello.bytes }),
]

export function bytesOf({ message }: Step): Uint8Array {
  return encodeLinkMessage(message)
}
