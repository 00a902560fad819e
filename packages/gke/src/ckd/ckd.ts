/**
 * CKD: section 4.2 of "On the performance of group key agreement protocols" and appendix A of "Secure group communication in
 * asynchronous networks with failures" (both Amir, Kim, Nita-Rotaru, Tsudik and others). Not contributory: the controller
 * alone makes the secret. Divergences: the papers keep a pairwise key while both its ends stay, and hide the secret in an
 * exponent, so whoever takes one long-lived share reads every epoch that it was used in. Here both ends of a pairwise key are
 * made for one view, ride on the flush, and seal by an AEAD: every event takes one round, a change of controller included.
 */
import { describeSeats } from "../key-structure.ts"
import type { ViewModule } from "../clusters/view-agreement.ts"
import type { PrimeOrderGroup } from "../group/prime-order-group.ts"
import { createSeatAttachmentCodec } from "../seniority/attachment.ts"
import { standingOn } from "../seniority/seating.ts"
import type { SeatedEpoch } from "../seniority/seating.ts"
import { CkdRun } from "./run.ts"
import { groupSecretFrom } from "./sealing.ts"

export function createCkdModule(group: PrimeOrderGroup): ViewModule<SeatedEpoch> {
  const codec = createSeatAttachmentCodec(group.elementBytes)
  return {
    createRun: ({ random, ...input }) => new CkdRun({ ...input, group, codec, groupSecret: groupSecretFrom(random) }),
    attach: (self, base, share) =>
      codec.encode({ share: group.multiplyBase(share), standing: base && standingOn(base, self) }),
    // Each member attaches its own seat, and nobody the whole state.
    ownersOf: () => [],
    describe: ({ seats }, { proposal }) => describeSeats("star", seats, proposal.epoch),
    // No secret outlives its view.
    erase: () => {},
  }
}
