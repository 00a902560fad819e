/**
 * CKD: a controller alone makes the secret, so it is not contributory.
 *
 * Sources, both by Amir, Kim, Nita-Rotaru, Tsudik and others:
 * - Section 4.2 of "On the performance of group key agreement protocols".
 * - Appendix A of "Secure group communication in asynchronous networks with failures".
 *
 * Divergence: the papers keep a pairwise key while both its ends stay, and hide the secret in an exponent. An attacker
 * that obtains one long-lived share reads every epoch in which it was used. Here both ends of a pairwise key are made
 * for one view, ride on the flush, and seal by an AEAD. Every event takes one round, a change of controller included.
 */
import { describeSeats } from "../seniority/order.ts"
import type { ViewModule } from "../clusters/view-agreement.ts"
import type { PrimeOrderGroup } from "../group/prime-order-group.ts"
import { createSeatAttachmentCodec } from "../seniority/seat-attachment.ts"
import { type SeatedEpoch, standingOn } from "../seniority/seating.ts"
import { CkdRun } from "./ckd-run.ts"
import { groupSecretFrom } from "./sealing.ts"

export function createCkdModule(group: PrimeOrderGroup): ViewModule<SeatedEpoch> {
  const codec = createSeatAttachmentCodec(group.elementBytes)
  return {
    createRun: ({ random, ...input }) => new CkdRun({ ...input, group, codec, groupSecret: groupSecretFrom(random) }),
    attach: (self, base, share) =>
      codec.encode({ share: group.multiplyBase(share), standing: base && standingOn(base, self) }),
    describe: ({ seats }, { proposal }) => describeSeats("star", seats, proposal.epoch),
    // No secret outlives its view.
    erase: () => {},
  }
}
