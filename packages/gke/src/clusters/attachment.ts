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
  const share = P.bytes(group.elementBytes)
  const coder = versioned(
    P.mappedTag(P.U8, {
      newcomer: [0, P.struct({ share })],
      standing: [
        1,
        P.struct({ share, epochId: P.bytes(HASH_BYTES), stateHash: P.bytes(HASH_BYTES), state: P.bytes(P.U32BE) }),
      ],
    }),
  )
  return {
    encode: ({ share, standing, state }) =>
      coder.encode(
        standing ? { TAG: "standing", data: { share, ...standing, state } } : { TAG: "newcomer", data: { share } },
      ),
    decode(bytes) {
      const decoded = attempt(coder, bytes)
      if (!decoded) return null
      if (decoded.TAG === "newcomer") return { share: decoded.data.share, standing: null, state: P.EMPTY }
      const { share, epochId, stateHash, state } = decoded.data
      return { share, standing: { epochId, stateHash }, state }
    },
  }
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
