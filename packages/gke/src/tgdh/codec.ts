/** The wire format of TGDH, version 1: attachment, public state, message. */
import * as P from "micro-packed"
import { isRejection } from "../group/prime-order-group.ts"
import type { Element, PrimeOrderGroup } from "../group/prime-order-group.ts"
import { MEMBERS_MAX, TREE_HEIGHT_MAX } from "../limits.ts"
import { MEMBER_ID_BYTES, memberIdFromBytes, memberIdToBytes } from "../member-id.ts"
import { branchOf, leafOf, leavesOf } from "./tree.ts"
import type { Node } from "./tree.ts"

const VERSION = 1
const HASH_BYTES = 32

/** The state that a member stands on: epoch id = H(sid ‖ transcript ‖ state hash). */
export type Standing = { readonly epochId: Uint8Array; readonly stateHash: Uint8Array }

/**
 * What rides on the SYNC. `share`: the fresh blinded share, not yet checked: most are never used, and checking costs.
 * `state`: the public state's bytes, or none, from all but the member that carries it.
 */
export type Attachment = {
  readonly share: Uint8Array
  readonly standing: Standing | null
  readonly state: Uint8Array
}

/** `state`: round 0, only when the SYNCs lacked it. `keys`: blinded keys of the sender's publication in that round. */
export type Message =
  | { readonly kind: "state"; readonly state: Uint8Array }
  | { readonly kind: "keys"; readonly round: number; readonly blinded: readonly Uint8Array[] }

/** Decoders give null for whatever is not the canonical encoding of a value: trailing bytes, unknown tags, excess lengths. */
export type TgdhCodec = {
  encodeAttachment(attachment: Attachment): Uint8Array
  decodeAttachment(bytes: Uint8Array): Attachment | null
  encodeMessage(message: Message): Uint8Array
  decodeMessage(bytes: Uint8Array): Message | null
  /** Every blinded key must be known. */
  encodeState(tree: Node): Uint8Array
  /** Each element is valid, each owner has one leaf. */
  decodeState(bytes: Uint8Array): Node | null
}

export function createTgdhCodec(group: PrimeOrderGroup): TgdhCodec {
  const attachment = attachmentCoder(group)
  const message = messageCoder(group)
  const state = versioned(nodeCoder(group, 0))
  return {
    encodeAttachment: ({ share, standing, state }) =>
      attachment.encode(
        standing ? { TAG: "standing", data: { share, ...standing, state } } : { TAG: "newcomer", data: { share } },
      ),
    decodeAttachment(bytes) {
      const decoded = attempt(attachment, bytes)
      if (!decoded) return null
      if (decoded.TAG === "newcomer") return { share: decoded.data.share, standing: null, state: P.EMPTY }
      const { share, epochId, stateHash, state } = decoded.data
      return { share, standing: { epochId, stateHash }, state }
    },
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
      return owners.size === leaves.length && leaves.length <= MEMBERS_MAX ? tree : null
    },
  }
}

function attachmentCoder(group: PrimeOrderGroup) {
  const share = P.bytes(group.elementBytes)
  return versioned(
    P.mappedTag(P.U8, {
      newcomer: [0, P.struct({ share })],
      standing: [
        1,
        P.struct({ share, epochId: P.bytes(HASH_BYTES), stateHash: P.bytes(HASH_BYTES), state: P.bytes(P.U32BE) }),
      ],
    }),
  )
}

function messageCoder(group: PrimeOrderGroup) {
  const blinded = P.validate(P.array(P.U8, P.bytes(group.elementBytes)), (list) => {
    if (list.length === 0 || list.length > TREE_HEIGHT_MAX) throw new RangeError("impossible number of keys")
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
function nodeCoder(group: PrimeOrderGroup, depth: number): P.CoderType<Node> {
  const element = (reader: P.Reader): Element => {
    const decoded = group.decode(reader.bytes(group.elementBytes))
    if (isRejection(decoded)) throw reader.err(`element: ${decoded.rejected}`)
    return decoded
  }
  const decodeAt = (reader: P.Reader, depth: number): Node => {
    if (depth > TREE_HEIGHT_MAX) throw reader.err("tree too high")
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
  const encode = (writer: P.Writer, node: Node): void => {
    if (node.kind === "leaf") {
      writer.byte(LEAF_TAG)
      writer.bytes(memberIdToBytes(node.owner))
      P.U64BE.encodeStream(writer, BigInt(node.sinceEpoch))
      writer.bytes(node.blinded)
      return
    }
    if (!node.blinded) throw new RangeError("a public state has no unknown keys")
    writer.byte(BRANCH_TAG)
    writer.bytes(node.blinded)
    encode(writer, node.left)
    encode(writer, node.right)
  }
  return P.wrap({ encodeStream: encode, decodeStream: (reader) => decodeAt(reader, depth) })
}

/** `inner` behind the version byte. */
function versioned<T>(inner: P.CoderType<T>): P.CoderType<T> {
  return P.wrap({
    encodeStream(writer, value: T) {
      writer.byte(VERSION)
      inner.encodeStream(writer, value)
    },
    decodeStream(reader) {
      if (reader.byte() !== VERSION) throw reader.err("unknown version")
      return inner.decodeStream(reader)
    },
  })
}

/** The one place where a decoder's exceptions end. */
function attempt<T>(coder: P.CoderType<T>, bytes: Uint8Array): T | null {
  try {
    return coder.decode(bytes)
  } catch {
    return null
  }
}
