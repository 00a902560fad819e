/** The attachment to the SYNC, in version 1 of the wire format: the same for every module that uses clusters. */
import { ByteFiller, type ByteReader } from "../shared/byte-layout.ts"
import { equalBytes } from "../shared/bytes.ts"
import { attemptRead, VERSION } from "../shared/coders.ts"
import type { PrimeOrderGroup } from "../group/prime-order-group.ts"
import type { KeyedView } from "../agreement/key-agreement.ts"
import { MEMBER_ID_BYTES, type MemberId } from "../shared/member-id.ts"
import type { Outbox } from "./outbox.ts"

export const HASH_BYTES = 32
export const STANDING_BYTES = 2 * HASH_BYTES

/** The state that a member continues from: epoch id = H(sid ‖ transcript ‖ state hash). */
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
  /** null for bytes that are not the canonical encoding of an attachment. `latest`: see `readStanding`. */
  decode(bytes: Uint8Array, latest?: Standing | null): Attachment | null
}

const NEWCOMER_TAG = 0
const STANDING_TAG = 1
const NOTHING = new Uint8Array(0)

/** Hand-written for speed: every member decodes all of a view's attachments. */
export function createAttachmentCodec(group: Pick<PrimeOrderGroup, "elementBytes">): AttachmentCodec {
  const newcomerBytes = 2 + group.elementBytes
  return {
    encode({ share, standing, state }) {
      if (!standing) return new ByteFiller(newcomerBytes).u8(VERSION).u8(NEWCOMER_TAG).put(share).done()
      return new ByteFiller(newcomerBytes + STANDING_BYTES + 4 + state.length)
        .u8(VERSION)
        .u8(STANDING_TAG)
        .put(share)
        .put(standing.epochId)
        .put(standing.stateHash)
        .u32(state.length)
        .put(state)
        .done()
    },
    decode: (bytes, latest = null) =>
      attemptRead(bytes, (reader): Attachment => {
        const tag = reader.u8()
        if (tag !== NEWCOMER_TAG && tag !== STANDING_TAG) throw new RangeError("unknown attachment")
        const share = reader.bytes(group.elementBytes)
        if (tag === NEWCOMER_TAG) return { share, standing: null, state: NOTHING }
        const standing = readStanding(reader, latest)
        return { share, standing, state: reader.bytes(reader.u32()) }
      }),
  }
}

/** Most members of a view stand on one state: where it is the `latest` one read, that very object comes again, which makes comparing quick. */
export function readStanding(reader: ByteReader, latest: Standing | null): Standing {
  const standing = { epochId: reader.bytes(HASH_BYTES), stateHash: reader.bytes(HASH_BYTES) }
  return latest && sameStanding(latest, standing) ? latest : standing
}

export function sameStanding(a: Standing, b: Standing): boolean {
  return a === b || (equalBytes(a.epochId, b.epochId) && equalBytes(a.stateHash, b.stateHash))
}

/** The attachments of all members; null, and a fault of each owner, if some do not decode. */
export function decodeAttachments<A extends { readonly standing: Standing | null }>(
  codec: { decode(bytes: Uint8Array, latest: Standing | null): A | null },
  view: KeyedView,
  outbox: Outbox,
): Map<MemberId, A> | null {
  const attachments = new Map<MemberId, A>()
  let latest: Standing | null = null
  for (const member of view.members) {
    const attachment = codec.decode(view.attachments.get(member)!, latest)
    latest = attachment?.standing ?? latest
    if (attachment) attachments.set(member, attachment)
    else outbox.fault(member, "malformed-attachment")
  }
  return attachments.size === view.members.length ? attachments : null
}

/**
 * Encodes all attachments of a view for its transcript, injectively: different views give different bytes. A standing
 * that several members share is encoded once, so less than half of the bytes are hashed. A state is encoded as its
 * length, because its hash is in the standing.
 */
export function encodeTogether(
  members: readonly MemberId[],
  attachments: ReadonlyMap<MemberId, Attachment>,
): Uint8Array {
  const standings: Standing[] = []
  const placeOf = (standing: Standing | null): number => {
    if (!standing) return 0
    const place = standings.findIndex((other) => sameStanding(other, standing))
    return place >= 0 ? place + 1 : standings.push(standing)
  }
  const entries = members.map((member) => {
    const { share, standing, state } = attachments.get(member)!
    return { member, share, place: placeOf(standing), stateBytes: state.length }
  })
  const entryBytes = entries.reduce((sum, { share }) => sum + MEMBER_ID_BYTES + 2 + 4 + share.length, 0)
  const filler = new ByteFiller(4 + standings.length * STANDING_BYTES + entryBytes)
  filler.u16(standings.length).u16(members.length)
  for (const { epochId, stateHash } of standings) filler.put(epochId).put(stateHash)
  for (const { member, share, place, stateBytes } of entries) {
    filler.memberId(member).u16(place).u32(stateBytes).put(share)
  }
  return filler.done()
}
