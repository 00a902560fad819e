/** The wire format of key trees, version 1: public state and message. Attachments: clusters/attachment.ts. */
import { ByteFiller, type ByteReader } from "../shared/byte-layout.ts"
import { attemptRead, VERSION } from "../shared/coders.ts"
import { unreachable } from "../shared/errors.ts"
import type { PrimeOrderGroup } from "../group/prime-order-group.ts"
import { MEMBERS_MAX } from "../shared/limits.ts"
import { MEMBER_ID_BYTES, memberIdFromBytes } from "../shared/member-id.ts"
import type { KeyTreeShape } from "./shape.ts"
import { branchOf, leafOf, leavesOf, type Node } from "./tree.ts"

/** `state`: round 0, only when the SYNCs lacked it. `keys`: blinded keys of the sender's publication in that round. */
export type Message =
  | { readonly kind: "state"; readonly state: Uint8Array }
  | { readonly kind: "keys"; readonly round: number; readonly blinded: readonly Uint8Array[] }

/** Decoders give null for bytes that are not the canonical encoding of a value: trailing bytes, unknown tags, excess lengths. */
export type KeyTreeCodec = {
  encodeMessage(message: Message): Uint8Array
  decodeMessage(bytes: Uint8Array): Message | null
  /** Every blinded key must be known. */
  encodeState(tree: Node): Uint8Array
  /** Each owner has one leaf, and the tree has this module's shape. Blinded keys are not checked: see tree.ts. */
  decodeState(bytes: Uint8Array): Node | null
}

const STATE_TAG = 0
const KEYS_TAG = 1

/** By hand: messages hold up to a key for each member, states two. */
export function createKeyTreeCodec(group: PrimeOrderGroup, shape: KeyTreeShape): KeyTreeCodec {
  return {
    encodeMessage: (message) =>
      message.kind === "keys"
        ? encodeKeys(group, shape, message)
        : new ByteFiller(2 + message.state.length).u8(VERSION).u8(STATE_TAG).put(message.state).done(),
    decodeMessage: (bytes) =>
      attemptRead(bytes, (reader): Message => {
        const tag = reader.u8()
        if (tag === STATE_TAG) return { kind: "state", state: reader.bytes(bytes.length - 2) }
        if (tag !== KEYS_TAG) throw new RangeError("unknown message")
        return readKeys(group, shape, reader)
      }),
    encodeState(tree) {
      const filler = new ByteFiller(1 + tree.size * leafBytes(group) + (tree.size - 1) * branchBytes(group)).u8(VERSION)
      encodeNode(filler, tree)
      return filler.done()
    },
    decodeState(bytes) {
      if (bytes.length > MEMBERS_MAX * (leafBytes(group) + branchBytes(group))) return null
      const tree = attemptRead(bytes, (reader) => readNode(group, shape, reader, 0))
      if (!tree) return null
      const leaves = leavesOf(tree)
      const owners = new Set(leaves.map((leaf) => leaf.owner))
      const isPossible = owners.size === leaves.length && leaves.length <= MEMBERS_MAX && shape.isPossible(tree)
      return isPossible ? tree : null
    },
  }
}

/** As many bytes as the number of keys takes. */
const countBytes = ({ heightMax }: KeyTreeShape): 1 | 2 => (heightMax <= 0xff ? 1 : 2)

function encodeKeys(group: PrimeOrderGroup, shape: KeyTreeShape, { round, blinded }: Message & { kind: "keys" }) {
  const filler = new ByteFiller(3 + countBytes(shape) + blinded.length * group.elementBytes)
  filler.u8(VERSION).u8(KEYS_TAG).u8(round)
  if (countBytes(shape) === 1) filler.u8(blinded.length)
  else filler.u16(blinded.length)
  for (const key of blinded) filler.put(key)
  return filler.done()
}

function readKeys(group: PrimeOrderGroup, shape: KeyTreeShape, reader: ByteReader): Message {
  const round = reader.u8()
  if (round === 0) throw new RangeError("round 0 is for states")
  const count = countBytes(shape) === 1 ? reader.u8() : reader.u16()
  if (count === 0 || count > shape.heightMax) throw new RangeError("impossible number of keys")
  const blinded: Uint8Array[] = []
  for (let i = 0; i < count; i++) blinded.push(reader.bytes(group.elementBytes))
  return { kind: "keys", round, blinded }
}

const LEAF_TAG = 0
const BRANCH_TAG = 1
const leafBytes = (group: PrimeOrderGroup): number => 1 + MEMBER_ID_BYTES + 8 + group.elementBytes
const branchBytes = (group: PrimeOrderGroup): number => 1 + group.elementBytes

/** A tree in preorder. */
function encodeNode(filler: ByteFiller, node: Node): void {
  if (node.kind === "leaf") {
    filler.u8(LEAF_TAG).memberId(node.owner).u64(node.sinceEpoch).put(node.blinded)
    return
  }
  filler.u8(BRANCH_TAG).put(node.blinded ?? unreachable("a public state has no unknown keys"))
  encodeNode(filler, node.left)
  encodeNode(filler, node.right)
}

/** The depth is limited while decoding, or a peer's bytes could exhaust the stack. */
function readNode(group: PrimeOrderGroup, shape: KeyTreeShape, reader: ByteReader, depth: number): Node {
  if (depth > shape.heightMax) throw new RangeError("tree too high")
  const tag = reader.u8()
  if (tag === LEAF_TAG) {
    const owner = memberIdFromBytes(reader.bytes(MEMBER_ID_BYTES))
    const sinceEpoch = reader.u64()
    return leafOf(owner, readBlinded(group, reader), sinceEpoch)
  }
  if (tag !== BRANCH_TAG) throw new RangeError("unknown node")
  const blinded = readBlinded(group, reader)
  const left = readNode(group, shape, reader, depth + 1)
  return branchOf(left, readNode(group, shape, reader, depth + 1), blinded)
}

/** A copy: a node may outlive by far the message that it came in. */
function readBlinded(group: PrimeOrderGroup, reader: ByteReader): Uint8Array {
  return reader.bytes(group.elementBytes).slice()
}
