import type { ViewModule } from "../clusters/view-agreement.ts"
import type { PrimeOrderGroup } from "../group/prime-order-group.ts"
import { createAttachmentCodec } from "../clusters/attachment.ts"
import { createKeyTreeCodec } from "./tree-codec.ts"
import { type Node, eraseTree, type CompletedTree } from "./tree.ts"
import type { KeyTreeNode } from "../agreement/key-agreement.ts"
import { KeyTreeRun } from "./tree-run.ts"
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

/** `arranged`: the tree of a new view before its blinded keys are filled in. Those that lack are the ones of new keys. */
function describeArranged(arranged: Node, epoch: number): KeyTreeNode {
  if (arranged.kind === "leaf") return { kind: "leaf", member: arranged.owner, isNew: arranged.sinceEpoch === epoch }
  const [left, right] = [describeArranged(arranged.left, epoch), describeArranged(arranged.right, epoch)]
  return { kind: "branch", isNew: !arranged.blinded, left, right }
}
