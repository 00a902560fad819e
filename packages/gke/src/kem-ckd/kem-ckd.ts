/**
 * The post-quantum part of a hybrid conference: CKD (Amir, Kim, Nita-Rotaru and Tsudik) with ML-KEM-768 in place of
 * Diffie-Hellman, and standing keys. The leader, the oldest member, hands out a seed:
 *
 * - Members only came: the next seed is a hash of the last one, and the leader seals it to those that came.
 * - Somebody left, or nobody came: a fresh seed, sealed to each other member.
 *
 * Divergence from CKD: a fresh public key of each member in each view would take 1,184 bytes for each member. So a key
 * stands for several views. In each view one member in sixty, at least one, attaches a new key.
 */
import type { KeyAgreement } from "../agreement/key-agreement.ts"
import { ViewAgreement, type ViewModule } from "../clusters/view-agreement.ts"
import type { Scalar } from "../group/prime-order-group.ts"
import type { Kem } from "../kem/kem.ts"
import { describeSeats } from "../seniority/order.ts"
import { standingOn } from "../seniority/seating.ts"
import { copySecret } from "../shared/bytes.ts"
import { unreachable } from "../shared/errors.ts"
import { sharesPerRefresh } from "../shared/limits.ts"
import type { MemberId, ProposalId } from "../shared/member-id.ts"
import { kemAttachmentCodec } from "./kem-ckd-codec.ts"
import { type KemEpoch, KemRun } from "./kem-ckd-run.ts"

/** The randomness of an attachment is the seed of a key pair, so nothing is computed for it before it is needed. */
const seeds = {
  elementBytes: 0,
  randomScalar: (random: Uint8Array) => copySecret(random) as Scalar,
  multiplyBase: () => unreachable("attachments are made by the module"),
}

/** The agreement of the post-quantum secret of each view. See `KeyAgreement` for its contract. */
export function createKemAgreement(kem: Kem, self: MemberId): KeyAgreement {
  return new ViewAgreement(seeds, self, createKemModule(kem))
}

function createKemModule(kem: Kem): ViewModule<KemEpoch> {
  return {
    createRun: ({ share, ...input }) => {
      const pair = kem.keyPair(share)
      share.fill(0)
      return new KemRun({ ...input, kem, pair })
    },
    attach(self, base, share, proposal, members) {
      const standing = base && standingOn(base, self)
      const isKept = base && standing && !offersKey(base, standing.place, proposal, members)
      return kemAttachmentCodec.encode({ share: isKept ? new Uint8Array(0) : publicKeyOf(kem, share), standing })
    },
    describe: ({ seats }, { proposal }) => describeSeats("star", seats, proposal.epoch),
    erase: ({ seed, secretKey }) => {
      seed.fill(0)
      secretKey.fill(0)
    },
  }
}

function publicKeyOf(kem: Kem, seed: Uint8Array): Uint8Array {
  const { publicKey, secretKey } = kem.keyPair(seed)
  secretKey.fill(0)
  return publicKey
}

/**
 * Whether a member with a standing attaches a new key: if its cluster may not be the first one, or in its turn. A member
 * that guesses wrong sends its key in a message, so this decides about costs and the age of keys only.
 */
function offersKey({ seats }: KemEpoch, place: number, { epoch }: ProposalId, members: readonly MemberId[]): boolean {
  const owners = new Set(seats.map(({ owner }) => owner))
  const known = members.filter((member) => owners.has(member)).length
  if (members.length - known >= known) return true
  const keysPerView = sharesPerRefresh(seats.length)
  const turns = Math.ceil(seats.length / keysPerView)
  return epoch % turns === Math.floor(place / keysPerView)
}
