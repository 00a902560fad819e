/**
 * GDH: Cliques IKA.3, section 4.1 of "On the performance of group key agreement protocols" (Amir, Kim, Nita-Rotaru,
 * Tsudik), plain under signatures. The authenticated variants A-GDH and SA-GDH are broken and must not be used.
 * Divergences:
 * - One cluster rule covers every event, cascades included.
 * - In a view of the same members, the oldest shares are refreshed in turn, not the newest member's share.
 * - The list of partial keys comes with a commitment to the group key, so a member that gets a wrong one knows the
 *   culprit.
 */
import { describeSeats } from "../seniority/order.ts"
import type { ViewModule } from "../clusters/view-agreement.ts"
import type { PrimeOrderGroup } from "../group/prime-order-group.ts"
import { createSeatAttachmentCodec } from "../seniority/seat-attachment.ts"
import { standingOn } from "../seniority/seating.ts"
import { createGdhCodec } from "./gdh-codec.ts"
import type { GdhEpoch } from "./partial-keys.ts"
import { GdhRun } from "./gdh-run.ts"

const NO_SHARE = new Uint8Array(0)

export function createGdhModule(group: PrimeOrderGroup): ViewModule<GdhEpoch> {
  const codecs = { attachments: createSeatAttachmentCodec(NO_SHARE.length), messages: createGdhCodec(group) }
  return {
    createRun: (input) => new GdhRun({ ...input, group, codecs }),
    // No public share would spare a round: the first token needs the shares of all, not of one.
    attach: (self, base) => codecs.attachments.encode({ share: NO_SHARE, standing: base && standingOn(base, self) }),
    describe: ({ seats }, { proposal }) => describeSeats("chain", seats, proposal.epoch),
    erase: ({ share }) => {
      share.fill(0)
    },
  }
}
