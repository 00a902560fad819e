import {
  createEncoder,
  type Encoder,
  length,
  toUint8Array,
  writeAny,
  writeBinaryEncoder,
  writeUint8,
  writeVarString,
  writeVarUint,
} from "lib0/encoding"
import * as Y from "yjs"
import { bufferSource, domainSeparated } from "../wire/index.ts"

/** Marks in the hashed encoding. They make it injective. */
const Mark = { root: 0, key: 1, id: 2, unit: 3, type: 4, end: 5 } as const

/** Content of a type as the application reads it and as Yjs stores it. */
type Node = Pick<Y.AbstractType<never>, "_start" | "_map">

/**
 * SHA-256 of each client's clock and of the readable content. That is the order of lists and texts, the present value
 * of every key, and the id of every part. Documents with the same updates have the same digest. It depends neither on
 * their order nor on how Yjs has split or collected them. Formats of rich text are omitted, because Yjs cleans them up
 * at each member separately.
 */
export async function contentDigest(doc: Y.Doc): Promise<Uint8Array> {
  const bytes = domainSeparated("keymoot v1 document state", contentBytes(doc))
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bufferSource(bytes)))
}

function contentBytes(doc: Y.Doc): Uint8Array {
  const encoder = createEncoder()
  const clocks = [...Y.decodeStateVector(Y.encodeStateVector(doc))].sort(([a], [b]) => a - b)
  writeVarUint(encoder, clocks.length)
  for (const [client, clock] of clocks) {
    writeVarUint(encoder, client)
    writeVarUint(encoder, clock)
  }
  for (const name of [...doc.share.keys()].sort()) {
    const root = createEncoder()
    writeType(root, doc.share.get(name)!)
    // A type that was only requested exists here, and possibly not elsewhere.
    if (length(root) === 1) continue
    writeUint8(encoder, Mark.root)
    writeVarString(encoder, name)
    writeBinaryEncoder(encoder, root)
  }
  return toUint8Array(encoder)
}

function writeType(encoder: Encoder, { _start, _map }: Node): void {
  const run = { client: NaN, clock: NaN }
  for (let item = _start; item !== null; item = item.right) writeItem(encoder, item, run)
  for (const key of [..._map.keys()].sort()) {
    const item = _map.get(key)!
    if (item.deleted) continue
    writeUint8(encoder, Mark.key)
    writeVarString(encoder, key)
    writeItem(encoder, item, { client: NaN, clock: NaN })
  }
  writeUint8(encoder, Mark.end)
}

/** `run`: end of the previous unit, so that ids are written only where they do not follow it. */
function writeItem(encoder: Encoder, item: Y.Item, run: { client: number; clock: number }): void {
  if (item.deleted || !item.countable) return
  const { id, content } = item
  if (id.client !== run.client || id.clock !== run.clock) {
    writeUint8(encoder, Mark.id)
    writeVarUint(encoder, id.client)
    writeVarUint(encoder, id.clock)
  }
  run.client = id.client
  run.clock = id.clock + item.length
  if (content instanceof Y.ContentType) {
    writeUint8(encoder, Mark.type)
    return writeType(encoder, content.type)
  }
  for (const unit of content instanceof Y.ContentDoc ? [content.doc.guid] : (content.getContent() as never[])) {
    writeUint8(encoder, Mark.unit)
    writeAny(encoder, unit)
  }
}
