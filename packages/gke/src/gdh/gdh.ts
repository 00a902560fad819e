/**
 * GDH: Cliques IKA.3, section 4.1 of "On the performance of group key agreement protocols" (Amir, Kim, Nita-Rotaru, Tsudik),
 * plain under signatures; never the authenticated variants A-GDH and SA-GDH, which are broken. Divergences: one cluster rule
 * covers every event, cascades included; of the same members the oldest shares refresh, one after the other, and not the newest member's; the list
 * of partial keys comes with a commitment to the group key, so whoever is given a wrong one knows whose fault it is.
 */
import { describeSeats } from "../key-structure.ts"
import type { ViewModule } from "../clusters/view-agreement.ts"
import type { PrimeOrderGroup } from "../group/prime-order-group.ts"
import { createSeatAttachmentCodec } from "../seniority/attachment.ts"
import { standingOn } from "../seniority/seating.ts"
import { createGdhCodec } from "./codec.ts"
import type { GdhEpoch } from "./partial-keys.ts"
import { GdhRun } from "./run.ts"

const NO_SHARE = new Uint8Array(0)

export function createGdhModule(group: PrimeOrderGroup): ViewModule<GdhEpoch> {
  const codecs = { attachments: createSeatAttachmentCodec(NO_SHARE.length), messages: createGdhCodec(group) }
  return {
    createRun: (input) => new GdhRun({ ...input, group, codecs }),
    // No public share would spare a round: the first token needs the shares of all, not of one.
    attach: (self, base) => codecs.attachments.encode({ share: NO_SHARE, standing: base && standingOn(base, self) }),
    // Each member attaches its own seat, and nobody the whole state.
    ownersOf: () => [],
    describe: ({ seats }, { proposal }) => describeSeats("chain", seats, proposal.epoch),
    erase: ({ share }) => {
      share.fill(0)
    },
  }
}
