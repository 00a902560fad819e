import { expect, test } from "vitest"
import type { Element, MemberId } from "@keymoot/gke"
import { memberNamed } from "@keymoot/gke/testing"
import type { Cluster } from "../../src/clusters/claims.ts"
import { leafOf, leavesOf, type Node } from "../../src/key-tree/tree.ts"
import { buildStructure } from "../../src/tgdh/structure.ts"

const EVENTS = 10_000
const share = new Uint8Array(32) as Element

/** From 0 up to `end`, by a seed; Lehmer's generator is random enough for who leaves. */
function randomNumbers(seed: number): (end: number) => number {
  let state = seed
  return (end) => {
    state = (state * 48271) % 2147483647
    return state % end
  }
}

/** The structure alone, since heights do not depend on keys: one cluster, and the newcomer if there is one. */
function changed(tree: Node, leaver: MemberId | null, newcomer: MemberId | null, epoch: number): Node {
  const members = leavesOf(tree).flatMap(({ owner }) => (owner === leaver ? [] : [owner]))
  const clusters: Cluster<Node>[] = [{ members: members.sort(), state: tree }]
  if (newcomer) clusters.push({ members: [newcomer], state: null })
  return buildStructure(clusters, (owner) => leafOf(owner, share, epoch))
}

for (const seed of [1, 2, 3]) {
  test(`seed ${seed}: height stays below 1.5 log2(n) + 2 in 10,000 joins and leaves`, () => {
    const below = randomNumbers(seed)
    const nameOf = (started: number): MemberId => memberNamed(started.toString(36).padStart(4, "0"))
    let tree: Node = leafOf(nameOf(0), share, 0)
    for (let event = 1; event <= EVENTS; event++) {
      const members = leavesOf(tree)
      // About 100, after everybody has come one by one; between 80 and 120, so that it can also grow and shrink a lot.
      const joins = members.length < 80 || (members.length < 120 && below(2) === 0)
      const leaver = joins ? null : members[below(members.length)]!.owner
      tree = changed(tree, leaver, joins ? nameOf(event) : null, event)
      const n = members.length + (joins ? 1 : -1)
      expect(tree.height, `seed ${seed}, event ${event}, n=${n}`).toBeLessThanOrEqual(1.5 * Math.log2(n) + 2)
    }
    expect(leavesOf(tree).length).toBeGreaterThanOrEqual(79)
  })
}
