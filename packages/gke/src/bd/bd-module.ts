/**
 * BD: section 4.5 of "On the performance of group key agreement protocols" (Amir, Kim, Nita-Rotaru, Tsudik), after Burmester
 * and Desmedt. Divergences: the first of its two rounds rides on the flush; two members are a plain Diffie-Hellman and send
 * nothing; the sum of all X must be zero, and if it is not, all open their shares and who was wrong is known.
 */
import { createAttachmentCodec } from "../clusters/attachment.ts"
import type { CompletedEpoch } from "../clusters/completed-epoch.ts"
import type { ViewModule } from "../clusters/view-agreement.ts"
import type { PrimeOrderGroup } from "../group/prime-order-group.ts"
import { createBdCodec } from "./codec.ts"
import { BdRun } from "./run.ts"

export function createBdModule(group: PrimeOrderGroup): ViewModule<CompletedEpoch> {
  const codecs = { attachments: createAttachmentCodec(group), messages: createBdCodec(group) }
  return {
    createRun: (input) => new BdRun({ ...input, group, codecs }),
    ownersOf: () => [],
    describe: (_, { members }) => ({ kind: "ring", seats: members.map((member) => ({ member, isNew: true })) }),
    // An epoch holds no secret: no share is used twice.
    erase: () => undefined,
  }
}
