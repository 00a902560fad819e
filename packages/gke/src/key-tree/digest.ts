/**
 * Digest of a key tree for the hash of a public state. It is a hash tree over the subtrees, so after a view only the
 * changed subtrees are hashed again. In a state of a hundred members that is a tenth.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { ByteFiller } from "../shared/byte-layout.ts"
import { unreachable } from "../shared/errors.ts"
import type { KeyTreeCodec } from "./tree-codec.ts"
import type { Branch, Node } from "./tree.ts"

/** A subtree of so many leaves is hashed in one piece: hashes of less take as long. */
const PIECE_LEAVES_MAX = 8
const DIGEST_BYTES = 32
/** In front of what is hashed, so that no piece is taken for a branch. */
const PIECE_TAG = 0
const BRANCH_TAG = 1

/** Nodes never change. */
const known = new WeakMap<Node, Uint8Array>()

/** 32 bytes that no other tree has. Every blinded key must be known. */
export function digestOf(codec: KeyTreeCodec, node: Node): Uint8Array {
  const before = known.get(node)
  if (before) return before
  const digest = sha256(
    node.kind === "leaf" || node.size <= PIECE_LEAVES_MAX ? pieceInput(codec, node) : branchInput(codec, node),
  )
  known.set(node, digest)
  return digest
}

function pieceInput(codec: KeyTreeCodec, node: Node): Uint8Array {
  const piece = codec.encodeState(node)
  return new ByteFiller(1 + piece.length).u8(PIECE_TAG).put(piece).done()
}

function branchInput(codec: KeyTreeCodec, { left, right, blinded }: Branch): Uint8Array {
  const key = blinded ?? unreachable("a public state has no unknown keys")
  const input = new ByteFiller(1 + key.length + 2 * DIGEST_BYTES).u8(BRANCH_TAG).put(key)
  return input.put(digestOf(codec, left)).put(digestOf(codec, right)).done()
}
