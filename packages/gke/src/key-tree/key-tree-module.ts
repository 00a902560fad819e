import type { ViewModule } from "../clusters/view-agreement.ts"
import type { PrimeOrderGroup } from "../group/prime-order-group.ts"
import { createAttachmentCodec } from "../clusters/attachment.ts"
import { createKeyTreeCodec } from "./codec.ts"
import { describeArranged } from "./describe.ts"
import { eraseTree } from "./completed-tree.ts"
import type { CompletedTree } from "./completed-tree.ts"
import { KeyTreeRun } from "./run.ts"
import type { KeyTreeShape } from "./shape.ts"

export function createKeyTreeModule(group: PrimeOrderGroup, shape: KeyTreeShape): ViewModule<CompletedTree> {
  const codecs = { attachments: createAttachmentCodec(group), trees: createKeyTreeCodec(group, shape) }
  return {
    createRun: (input) => new KeyTreeRun({ ...input, group, shape, codecs }),
    ownersOf: ({ owners }) => owners,
    describe: ({ arranged }, { proposal }) => ({ kind: "tree", root: describeArranged(arranged, proposal.epoch) }),
    erase: eraseTree,
  }
}
