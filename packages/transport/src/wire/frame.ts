/**
 * The signed frame: a static part that never changes in transit, and the credential option over it (after FAIN/ANEP).
 * Hop protection belongs to the association and is not part of it.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import type { MemberId } from "../members/ids.ts"
import { memberId, oneOf, tagged, tryDecode, viewId, type ViewId } from "./codec.ts"
import {
  acknowledgementCoder,
  heartbeatCoder,
  payloadCoders,
  type AckCut,
  type Acknowledgement,
  type Fetch,
  type GroupMessage,
  type Heartbeat,
  type Nack,
  type Order,
  type Propose,
  type RosterMessage,
  type Sync,
  type SyncSet,
} from "./messages.ts"

export const FRAME_VERSION = 1

/** Delivery guarantee. Control frames have `none`: they are outside the order of messages. */
export type Service = "none" | "unreliable" | "reliable" | "fifo" | "causal" | "agreed" | "safe"
const services: readonly Service[] = ["none", "unreliable", "reliable", "fifo", "causal", "agreed", "safe"]

/** True for services whose frames have an entry in the ORDER. */
export function isOrdered(service: Service): boolean {
  return service === "agreed" || service === "safe"
}

/** True for services whose frames name their causal past and wait for it. */
export function hasDependencies(service: Service): boolean {
  return service === "causal" || isOrdered(service)
}

export type FramePayload =
  | { readonly kind: "data"; readonly message: GroupMessage }
  | { readonly kind: "agreement"; readonly message: GroupMessage }
  | { readonly kind: "propose"; readonly message: Propose }
  | { readonly kind: "nack"; readonly message: Nack }
  | { readonly kind: "sync"; readonly message: Sync }
  | { readonly kind: "cut"; readonly message: SyncSet }
  | { readonly kind: "install"; readonly message: SyncSet }
  | { readonly kind: "fetch"; readonly message: Fetch }
  | { readonly kind: "ackCut"; readonly message: AckCut }
  | { readonly kind: "order"; readonly message: Order }
  | { readonly kind: "leave"; readonly message: { readonly incarnation: number } }
  | { readonly kind: "roster"; readonly message: RosterMessage }
export type FrameKind = FramePayload["kind"]
const kinds: readonly FrameKind[] = [
  "data",
  "agreement",
  "propose",
  "nack",
  "sync",
  "cut",
  "install",
  "fetch",
  "ackCut",
  "order",
  "leave",
  "roster",
]

export type FrameHeader = {
  /** SHA-256 over conference id and descriptor hash: a signature is valid in one conference only. */
  readonly conferenceTag: Uint8Array
  /** The view in which the frame was sent, or `NO_VIEW` for kind `roster`. */
  readonly view: ViewId
  readonly origin: MemberId
  readonly service: Service
  /**
   * Numbers the origin's data and agreement frames in the view from 1, unreliable ones separately. 0 in control frames.
   */
  readonly sequence: number
}

export type FrameContent = FrameHeader & FramePayload

/** A decoded frame with its original bytes, to forward and to hash. */
export type Frame = FrameContent & {
  readonly staticPart: Uint8Array
  readonly signature: Uint8Array
  /** The whole frame as bytes. */
  readonly bytes: Uint8Array
}

const headerFields = {
  version: P.validate(P.U8, (version) => {
    if (version !== FRAME_VERSION) throw new RangeError(`frame version ${version}`)
    return version
  }),
  kind: oneOf(kinds),
  conferenceTag: P.bytes(32),
  view: viewId,
  origin: memberId,
  service: oneOf(services),
  sequence: P.U32BE,
}
const staticPartCoder = P.struct({ ...headerFields, payload: P.bytes(null) })

const SIGNATURE_BYTES = 64
const signedFrameCoder = P.struct({ staticPart: P.bytes(P.U32BE), signature: P.bytes(SIGNATURE_BYTES) })

const FRAME_TAG = 1
const bytesOnly = P.struct({ bytes: P.bytes(null) })
const linkMessageCoder = tagged<LinkMessage>("type", {
  heartbeat: [0, P.struct({ heartbeat: heartbeatCoder })],
  frame: [FRAME_TAG, bytesOnly],
  acknowledgement: [2, P.struct({ acknowledgement: acknowledgementCoder })],
  outOfGroup: [4, bytesOnly],
  overlay: [5, bytesOnly],
})

const signatureDomain = utf8ToBytes("keymoot v1 frame\0")

/**
 * The bytes that the origin signs: the digest of the static part, which every member needs anyway. Ed25519 hashes a
 * message twice to sign and once to verify. For a batch, hashing the whole message took longer than everything else.
 * @param digest `frameDigest`
 */
export function signedBytes(digest: Uint8Array): Uint8Array {
  return concatBytes(signatureDomain, digest)
}

const digests = new WeakMap<Uint8Array, Uint8Array>()

/** SHA-256 of the static part, computed once per frame: signature, ORDER, acknowledgement and delivery all need it. */
export function frameDigest({ staticPart }: { readonly staticPart: Uint8Array }): Uint8Array {
  const known = digests.get(staticPart)
  if (known) return known
  const digest = sha256(staticPart)
  digests.set(staticPart, digest)
  return digest
}

/** Stores a digest that was computed elsewhere. */
export function rememberDigest({ staticPart }: { readonly staticPart: Uint8Array }, digest: Uint8Array): void {
  digests.set(staticPart, digest)
}

/** A frame as a link message, in one buffer: a large body is copied only once when it is sent. */
const draftOf = (message: P.CoderType<unknown>): P.CoderType<unknown> =>
  P.struct({ tag: P.U8, length: P.U32BE, ...headerFields, message, signature: P.bytes(SIGNATURE_BYTES) }) as never
const draftCoders = Object.fromEntries(
  Object.entries(payloadCoders).map(([kind, coder]) => [kind, draftOf(coder as P.CoderType<unknown>)]),
) as Record<FrameKind, P.CoderType<unknown>>
const STATIC_PART_OFFSET = 5
const UNSIGNED = new Uint8Array(SIGNATURE_BYTES)

/** A frame with everything but its signature. */
export type FrameDraft = {
  readonly staticPart: Uint8Array
  /** Completes the frame. Call once. @param signature 64 bytes over `signedBytes` */
  sign(signature: Uint8Array): Frame
}

/** The link message of the frame needs no further copy: see `encodeLinkMessage`. */
export function draftFrame(content: FrameContent): FrameDraft {
  const parts = { ...content, version: FRAME_VERSION, tag: FRAME_TAG, length: 0, signature: UNSIGNED }
  const bytes = draftCoders[content.kind].encode(parts)
  const staticPart = bytes.subarray(STATIC_PART_OFFSET, bytes.length - SIGNATURE_BYTES)
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(1, staticPart.length)
  const sign = (signature: Uint8Array): Frame => {
    if (signature.length !== SIGNATURE_BYTES) throw new RangeError(`a signature has ${SIGNATURE_BYTES} bytes`)
    bytes.set(signature, bytes.length - SIGNATURE_BYTES)
    const ends = { signature: bytes.subarray(bytes.length - SIGNATURE_BYTES), bytes: bytes.subarray(1) }
    return { ...withBodyInside(content, staticPart), staticPart, ...ends }
  }
  return { staticPart, sign }
}

/** Makes the body a view of the end of its frame, so that the original body can be freed. */
function withBodyInside(content: FrameContent, staticPart: Uint8Array): FrameContent {
  if (content.kind !== "data" && content.kind !== "agreement") return content
  const { dependencies, body } = content.message
  return { ...content, message: { dependencies, body: staticPart.subarray(staticPart.length - body.length) } }
}

export function encodeStaticPart(content: FrameContent): Uint8Array {
  return draftFrame(content).staticPart
}

export function encodeFrame(staticPart: Uint8Array, signature: Uint8Array): Uint8Array {
  return signedFrameCoder.encode({ staticPart, signature })
}

/** Null unless the bytes are exactly one canonical frame. The signature is not checked here. */
export function decodeFrame(bytes: Uint8Array): Frame | null {
  const signed = tryDecode(signedFrameCoder, bytes)
  const parts = signed && tryDecode(staticPartCoder, signed.staticPart)
  if (!signed || !parts) return null
  const { version: _, payload, kind, ...header } = parts
  const message = tryDecode<unknown>(payloadCoders[kind] as P.CoderType<unknown>, payload)
  if (message === null) return null
  return { ...header, ...({ kind, message } as FramePayload), ...signed, bytes }
}

/** The kind of an encoded frame of this member, without decoding it. */
export function frameKind(bytes: Uint8Array): FrameKind | undefined {
  return kinds[bytes[KIND_OFFSET] ?? kinds.length]
}
/** After the static part's length and the version. */
const KIND_OFFSET = 5

/** The content of hop frames on one link. */
export type LinkMessage =
  | { readonly type: "heartbeat"; readonly heartbeat: Heartbeat }
  | { readonly type: "acknowledgement"; readonly acknowledgement: Acknowledgement }
  | { readonly type: "frame"; readonly bytes: Uint8Array }
  /** Between neighbours that need not be in one group, for the layer above. */
  | { readonly type: "outOfGroup"; readonly bytes: Uint8Array }
  /** Between neighbours of an overlay (overlay/wire.ts). */
  | { readonly type: "overlay"; readonly bytes: Uint8Array }

/**
 * The result may share memory with the message, including the byte before a frame's bytes. The caller must not change
 * it afterwards.
 */
export function encodeLinkMessage(message: LinkMessage): Uint8Array {
  if (message.type === "frame") return behindItsTag(message.bytes) ?? linkMessageCoder.encode(message)
  if (message.type !== "heartbeat") return linkMessageCoder.encode(message)
  // A calm member sends one heartbeat again and again, so it is encoded once.
  const bytes = encodedHeartbeats.get(message.heartbeat) ?? linkMessageCoder.encode(message)
  encodedHeartbeats.set(message.heartbeat, bytes)
  return bytes
}
const encodedHeartbeats = new WeakMap<Heartbeat, Uint8Array>()

/**
 * Returns the bytes with their tag if a frame was drafted here or came over a link, since its tag precedes it in
 * memory.
 */
function behindItsTag({ buffer, byteOffset, length }: Uint8Array): Uint8Array | null {
  if (byteOffset === 0) return null
  const message = new Uint8Array(buffer, byteOffset - 1, 1 + length)
  return message[0] === FRAME_TAG ? message : null
}

export function decodeLinkMessage(bytes: Uint8Array): LinkMessage | null {
  return tryDecode(linkMessageCoder, bytes)
}

/** Different from the tags of a `LinkMessage`. */
const DIRECT_TAG = 3
/** One message from a member to another outside the group: the bytes that fit into one hop frame with their tag. */
export const DIRECT_BYTES_MAX = 16 * 1024 - 3

/**
 * A message between two members outside the group: in no view, unsigned, protected only by the association of their
 * link. It is delivered at once and waits for no key.
 */
export function encodeDirect(body: Uint8Array): Uint8Array {
  if (body.length > DIRECT_BYTES_MAX) throw new RangeError(`a direct message has at most ${DIRECT_BYTES_MAX} bytes`)
  return concatBytes(Uint8Array.of(DIRECT_TAG), body)
}

/** Null for a message of the group, and for one that is too long. */
export function decodeDirect(bytes: Uint8Array): Uint8Array | null {
  return bytes[0] === DIRECT_TAG && bytes.length <= 1 + DIRECT_BYTES_MAX ? bytes.subarray(1) : null
}
