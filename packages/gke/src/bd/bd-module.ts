/**
 * BD: section 4.5 of "On the performance of group key agreement protocols" (Amir, Kim, Nita-Rotaru, Tsudik), after
 * Burmester and Desmedt. Divergences:
 * - The first of its two rounds rides on the flush.
 * - Two members run a plain Diffie-Hellman and send nothing.
 * - The sum of all X must be zero. If it is not, all members open their shares, which identifies the culprit.
 */
import { createAttachmentCodec } from "../clusters/attachment.ts"
import type { CompletedEpoch } from "../clusters/completed-epoch.ts"
import type { ViewModule } from "../clusters/view-agreement.ts"
import type { PrimeOrderGroup } from "../group/prime-order-group.ts"
import { createBdCodec } from "./bd-codec.ts"
import { BdRun } from "./bd-run.ts"

export function createBdModule(group: PrimeOrderGroup): ViewModule<CompletedEpoch> {
  const codecs = { attachments: createAttachmentCodec(group), messages: createBdCodec(group) }
  return {
    createRun: (input) => new BdRun({ ...input, group, codecs }),
    describe: (_, { members }) => ({ kind: "ring", seats: members.map((member) => ({ member, isNew: true })) }),
    // An epoch holds no secret: no share is used twice.
    erase: () => undefined,
  }
}
