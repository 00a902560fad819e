/** What rides on the SYNC, in version 1 of the wire format: the same for every module that stands on clusters. */
import * as P from "micro-packed"
import { attempt, versioned } from "../codec.ts"
import type { PrimeOrderGroup } from "../group/prime-order-group.ts"
import type { KeyedView } from "../key-agreement.ts"
import type { MemberId } from "../member-id.ts"
import type { Outbox } from "./outbox.ts"

const HASH_BYTES = 32

/** The state that a member stands on: epoch id = H(sid ‖ transcript ‖ state hash). */
export type Standing = { readonly epochId: Uint8Array; readonly stateHash: Uint8Array }

/**
 * `share`: the fresh blinded share, not yet checked: most are never used, and checking costs.
 * `state`: the public state's bytes, or none, from all but the member that carries it.
 */
export type Attachment = {
  readonly share: Uint8Array
  readonly standing: Standing | null
  readonly state: Uint8Array
}

export type AttachmentCodec = {
  encode(attachment: Attachment): Uint8Array
  /** null for whatever is not the canonical encoding of an attachment. */
  decode(bytes: Uint8Array): Attachment | null
}

export function createAttachmentCodec(group: PrimeOrderGroup): AttachmentCodec {
  const coder = versioned(attachmentCoder(group.elementBytes))
  return {
    encode: (attachment) => coder.encode(attachment),
    decode: (bytes) => attempt(coder, bytes),
  }
}

const NEWCOMER_TAG = 0
const STANDING_TAG = 1

/** By hand: of a view's attachments all are decoded by everybody, and structs take three times as long. */
function attachmentCoder(shareBytes: number): P.CoderType<Attachment> {
  return P.wrap({
    encodeStream(writer, { share, standing, state }: Attachment) {
      writer.byte(standing ? STANDING_TAG : NEWCOMER_TAG)
      writer.bytes(share)
      if (!standing) return
      writer.bytes(standing.epochId)
      writer.bytes(standing.stateHash)
      P.U32BE.encodeStream(writer, state.length)
      writer.bytes(state)
    },
    decodeStream(reader): Attachment {
      const tag = reader.byte()
      if (tag !== NEWCOMER_TAG && tag !== STANDING_TAG) throw reader.err("unknown attachment")
      const share = reader.bytes(shareBytes)
      if (tag === NEWCOMER_TAG) return { share, standing: null, state: P.EMPTY }
      const standing = { epochId: reader.bytes(HASH_BYTES), stateHash: reader.bytes(HASH_BYTES) }
      return { share, standing, state: reader.bytes(P.U32BE.decodeStream(reader)) }
    },
  })
}

/** Everybody's attachment; null, and a fault of each owner, if some do not decode. */
export function decodeAttachments<A>(
  codec: { decode(bytes: Uint8Array): A | null },
  view: KeyedView,
  outbox: Outbox,
): Map<MemberId, A> | null {
  const attachments = new Map<MemberId, A>()
  for (const member of view.members) {
    const attachment = codec.decode(view.attachments.get(member)!)
    if (attachment) attachments.set(member, attachment)
    else outbox.fault(member, "malformed-attachment")
  }
  return attachments.size === view.members.length ? attachments : null
}
