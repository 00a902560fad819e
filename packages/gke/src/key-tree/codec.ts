/** The wire format of key trees, version 1: public state and message. Attachments: clusters/attachment.ts. */
import * as P from "micro-packed"
import { ByteFiller } from "../bytes.ts"
import { attempt, versioned } from "../codec.ts"
import { isRejection } from "../group/prime-order-group.ts"
import type { Element, PrimeOrderGroup } from "../group/prime-order-group.ts"
import { MEMBERS_MAX } from "../limits.ts"
import { MEMBER_ID_BYTES, memberIdFromBytes, memberIdToBytes } from "../member-id.ts"
import type { KeyTreeShape } from "./shape.ts"
import { branchOf, leafOf, leavesOf } from "./tree.ts"
import type { Node } from "./tree.ts"

/** `state`: round 0, only when the SYNCs lacked it. `keys`: blinded keys of the sender's publication in that round. */
export type Message =
  | { readonly kind: "state"; readonly state: Uint8Array }
  | { readonly kind: "keys"; readonly round: number; readonly blinded: readonly Uint8Array[] }

/** Decoders give null for whatever is not the canonical encoding of a value: trailing bytes, unknown tags, excess lengths. */
export type KeyTreeCodec = {
  encodeMessage(message: Message): Uint8Array
  decodeMessage(bytes: Uint8Array): Message | null
  /** Every blinded key must be known. */
  encodeState(tree: Node): Uint8Array
  /** Each element is valid, each owner has one leaf, and the tree has this module's shape. */
  decodeState(bytes: Uint8Array): Node | null
}

export function createKeyTreeCodec(group: PrimeOrderGroup, shape: KeyTreeShape): KeyTreeCodec {
  const message = messageCoder(group, shape)
  const state = versioned(nodeCoder(group, shape.heightMax))
  return {
    encodeMessage: (value) =>
      message.encode(
        value.kind === "state"
          ? { TAG: "state", data: value.state }
          : { TAG: "keys", data: { round: value.round, blinded: [...value.blinded] } },
      ),
    decodeMessage(bytes) {
      const decoded = attempt(message, bytes)
      if (!decoded) return null
      return decoded.TAG === "state" ? { kind: "state", state: decoded.data } : { kind: "keys", ...decoded.data }
    },
    encodeState: (tree) => state.encode(tree),
    decodeState(bytes) {
      if (bytes.length > MEMBERS_MAX * (leafBytes(group) + branchBytes(group))) return null
      const tree = attempt(state, bytes)
      if (!tree) return null
      const leaves = leavesOf(tree)
      const owners = new Set(leaves.map((leaf) => leaf.owner))
      const isPossible = owners.size === leaves.length && leaves.length <= MEMBERS_MAX && shape.isPossible(tree)
      return isPossible ? tree : null
    },
  }
}

function messageCoder(group: PrimeOrderGroup, { heightMax }: KeyTreeShape) {
  const count = heightMax <= 0xff ? P.U8 : P.U16BE
  const blinded = P.validate(P.array(count, P.bytes(group.elementBytes)), (list) => {
    if (list.length === 0 || list.length > heightMax) throw new RangeError("impossible number of keys")
    return list
  })
  const round = P.validate(P.U8, (value) => {
    if (value === 0) throw new RangeError("round 0 is for states")
    return value
  })
  return versioned(P.mappedTag(P.U8, { state: [0, P.bytes(null)], keys: [1, P.struct({ round, blinded })] }))
}

const LEAF_TAG = 0
const BRANCH_TAG = 1
const leafBytes = (group: PrimeOrderGroup): number => 1 + MEMBER_ID_BYTES + 8 + group.elementBytes
const branchBytes = (group: PrimeOrderGroup): number => 1 + group.elementBytes

/** A tree in preorder. The depth is limited while decoding, or a peer's bytes could exhaust the stack. */
function nodeCoder(group: PrimeOrderGroup, heightMax: number): P.CoderType<Node> {
  const element = (reader: P.Reader): Element => {
    const decoded = group.decode(reader.bytes(group.elementBytes))
    if (isRejection(decoded)) throw reader.err(`element: ${decoded.rejected}`)
    return decoded
  }
  const decodeAt = (reader: P.Reader, depth: number): Node => {
    if (depth > heightMax) throw reader.err("tree too high")
    const tag = reader.byte()
    if (tag === LEAF_TAG) {
      const owner = memberIdFromBytes(reader.bytes(MEMBER_ID_BYTES))
      const sinceEpoch = Number(P.U64BE.decodeStream(reader))
      if (!Number.isSafeInteger(sinceEpoch)) throw reader.err("epoch too large")
      return leafOf(owner, element(reader), sinceEpoch)
    }
    if (tag !== BRANCH_TAG) throw reader.err("unknown node")
    const blinded = element(reader)
    const left = decodeAt(reader, depth + 1)
    return branchOf(left, decodeAt(reader, depth + 1), blinded)
  }
  const encode = (filler: ByteFiller, node: Node): void => {
    if (node.kind === "leaf") {
      filler.u8(LEAF_TAG).put(memberIdToBytes(node.owner)).u64(node.sinceEpoch).put(node.blinded)
      return
    }
    if (!node.blinded) throw new RangeError("a public state has no unknown keys")
    filler.u8(BRANCH_TAG).put(node.blinded)
    encode(filler, node.left)
    encode(filler, node.right)
  }
  return P.wrap({
    encodeStream(writer, node: Node) {
      const filler = new ByteFiller(node.size * leafBytes(group) + (node.size - 1) * branchBytes(group))
      encode(filler, node)
      writer.bytes(filler.done())
    },
    decodeStream: (reader) => decodeAt(reader, 0),
  })
}
