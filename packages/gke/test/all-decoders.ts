/** All decoders of the modules for what other members send, with samples. */
import { concatBytes } from "@noble/hashes/utils.js"
import { loadKem, type MemberId } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { decoder, type Decoder, Random } from "@keymoot/transport/testing"
import { createBdCodec } from "../src/bd/bd-codec.ts"
import * as ckd from "../src/ckd/ckd-codec.ts"
import { SEALED_BYTES } from "../src/ckd/sealing.ts"
import { createAttachmentCodec } from "../src/clusters/attachment.ts"
import type { ConsensusMessage } from "../src/consensus/messages.ts"
import { createGdhCodec } from "../src/gdh/gdh-codec.ts"
import { AEAD_TAG_BYTES } from "../src/hpke/hpke.ts"
import { decodeKemMessage, encodeKemMessage, kemAttachmentCodec } from "../src/kem-ckd/kem-ckd-codec.ts"
import { SEALED_SEED_BYTES } from "../src/kem-ckd/kem-sealing.ts"
import { createKeyTreeCodec } from "../src/key-tree/tree-codec.ts"
import { branchOf, leafOf, type Node } from "../src/key-tree/tree.ts"
import { createMajorityCodec, type Payload } from "../src/majority/majority-codec.ts"
import { createSeatAttachmentCodec } from "../src/seniority/seat-attachment.ts"
import { strShape } from "../src/str/str-shape.ts"
import { tgdhShape } from "../src/tgdh/tgdh-shape.ts"

const random = new Random(9)
const group = createToyGroup()
const hash = (): Uint8Array => random.bytes(32)
const element = () => group.multiplyBase(group.randomScalar(random.bytes(64)))
const memberAt = (i: number): MemberId => i.toString(16).padStart(32, "0") as MemberId

const leaves = [1, 2, 3].map((i) => leafOf(memberAt(i), element(), i)) as [Node, Node, Node]
const tree = branchOf(branchOf(leaves[0], leaves[1], element()), leaves[2], element())
const keys = [
  { kind: "state", state: random.bytes(20) },
  { kind: "keys", round: 1, blinded: [element(), element()] },
] as const
const [tgdh, str] = [createKeyTreeCodec(group, tgdhShape), createKeyTreeCodec(group, strShape)]

const attachments = createAttachmentCodec(group)
const standing = { epochId: hash(), stateHash: hash() }
const seat = { ...standing, place: 3, sinceEpoch: 7 }
const seats = createSeatAttachmentCodec(group.elementBytes)
const bd = createBdCodec(group)
const gdh = createGdhCodec(group)

const { publicKey } = (await loadKem()).keyPair(random.bytes(64))

const majority = createMajorityCodec(group)
const offer = { share: element(), key: hash(), signature: random.bytes(64) }
const sealed = { recipientKey: hash(), enc: hash(), ciphertext: random.bytes(group.scalarBytes + AEAD_TAG_BYTES) }
const consensus: readonly ConsensusMessage[] = [
  { kind: "estimate", round: 2, stamp: 1, value: random.bytes(9) },
  { kind: "propose", round: 1, value: random.bytes(9) },
  { kind: "reply", round: 1, ack: true },
  { kind: "call", round: 3 },
  { kind: "decided", digest: hash() },
  { kind: "want" },
  { kind: "decision", value: random.bytes(9) },
  { kind: "alive" },
]
const payloads: readonly Payload[] = [
  { kind: "offer", share: element(), key: hash() },
  { kind: "return", key: hash() },
  { kind: "introduction", offer },
  { kind: "contribution", offer, sealed },
  { kind: "handover", owner: 1, sealed },
  ...consensus.map((message) => ({ kind: "consensus", message }) as const),
]
const statements = payloads.map((payload, i) => ({
  statement: { sid: hash(), from: memberAt(1), to: i % 2 === 0 ? null : memberAt(2), payload },
  signature: random.bytes(64),
}))

export const decoders: Readonly<Record<string, Decoder>> = {
  attachment: decoder(
    [
      { share: element(), standing: null, state: new Uint8Array() },
      { share: element(), standing, state: random.bytes(20) },
    ],
    attachments.encode,
    (bytes) => attachments.decode(bytes),
  ),
  "attachment with a seat": decoder(
    [
      { share: element(), standing: null },
      { share: element(), standing: seat },
    ],
    seats.encode,
    seats.decode,
  ),
  "TGDH message": decoder(keys, tgdh.encodeMessage, tgdh.decodeMessage),
  "TGDH state": decoder([leaves[0], tree], tgdh.encodeState, tgdh.decodeState),
  "STR message": decoder(keys, str.encodeMessage, str.decodeMessage),
  "STR state": decoder([leaves[0], tree], str.encodeState, str.decodeState),
  "BD message": decoder(
    [
      { kind: "difference", difference: element() },
      { kind: "opening", share: random.bytes(group.scalarBytes) },
    ],
    bd.encodeMessage,
    bd.decodeMessage,
  ),
  "GDH message": decoder(
    [
      { kind: "token", trail: hash(), element: element() },
      { kind: "broadcast", element: element() },
      { kind: "factored", element: element() },
      { kind: "list", list: { unicasts: hash(), commitment: hash(), partials: [element(), element()] } },
    ],
    gdh.encode,
    gdh.decode,
  ),
  "CKD message": decoder(
    [{ commitment: hash(), sealed: [random.bytes(SEALED_BYTES), random.bytes(SEALED_BYTES)] }],
    ckd.encodeMessage,
    ckd.decodeMessage,
  ),
  "statement of majority": decoder(
    statements,
    ({ statement, signature }) => concatBytes(majority.encodeStatement(statement), signature),
    majority.decodeSigned,
  ),
  "proposal of majority": decoder(
    [
      {
        owners: [
          { owner: 0, offer },
          { owner: 2, offer },
        ],
        differences: [random.bytes(group.scalarBytes)],
      },
      { owners: [], differences: [] },
    ],
    majority.encodeProposal,
    majority.decodeProposal,
  ),
  "post-quantum attachment that keeps the key": decoder(
    [{ share: new Uint8Array(0), standing: seat }],
    kemAttachmentCodec.encode,
    kemAttachmentCodec.decode,
  ),
  "post-quantum attachment": decoder(
    [
      { share: publicKey, standing: null },
      { share: publicKey, standing: seat },
    ],
    kemAttachmentCodec.encode,
    kemAttachmentCodec.decode,
  ),
  "post-quantum message": decoder(
    [
      { type: "key", publicKey },
      { type: "seed", isForward: true, commitment: hash(), sealed: [random.bytes(SEALED_SEED_BYTES)] },
      { type: "seed", isForward: false, commitment: hash(), sealed: [1, 2].map(() => random.bytes(SEALED_SEED_BYTES)) },
    ],
    encodeKemMessage,
    decodeKemMessage,
  ),
}
