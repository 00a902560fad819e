import { copySecret, equalBytes } from "../shared/bytes.ts"
import { unreachable } from "../shared/errors.ts"
import { type Element, isRejection, type PrimeOrderGroup, type Scalar } from "../group/prime-order-group.ts"
import type { KeyTreeShape } from "./shape.ts"
import type { Branch, Node, PathStep } from "./tree.ts"

/** Hash domain of the step from what two children share to their parent's key. */
export function nodeDomain(module: KeyTreeShape["module"]): string {
  return `keymoot v1 ${module} node key`
}

/**
 * Blinded keys published in this view, by branch. A member without the branch on its path has checked that it is an
 * element.
 */
export type Published = ReadonlyMap<Branch, Uint8Array>

export type ClimbStop =
  /** Waits for a blinded key that another member publishes. */
  | { readonly type: "waiting" }
  /** The blinded key published for `branch` is not what this member computes. */
  | { readonly type: "mismatch"; readonly branch: Branch }
  /** The state that this node comes from has no element there. */
  | { readonly type: "invalid"; readonly node: Node }
  | { readonly type: "top" }

/** A branch's key, what both its children share, and the blinded key that follows. */
type Reached = { readonly shared: Element; readonly key: Scalar; readonly blinded: Element }

/**
 * One member's climb from its leaf to the root. It proceeds to a branch only if the blinded key there has been
 * published and equals the one that it computes itself. So a member that reaches the root has recomputed every blinded
 * key on its path. The attack prevented: an insider publishes another blinded key for the parent of two honest members,
 * and could keep that key beyond its own removal.
 */
export class Climb {
  readonly #group: PrimeOrderGroup
  readonly #domain: string
  readonly #path: readonly PathStep[]
  /** The member's share, then the key of each branch reached. */
  readonly #keys: Scalar[]
  /** The current position, computed once and kept until the branch's blinded key arrives. */
  #next: Reached | null = null
  #topShared: Element | null = null

  /**
   * `keysBelow`: the share, then the keys of the branches at the bottom of the path that have not changed; copied.
   */
  constructor(group: PrimeOrderGroup, domain: string, path: readonly PathStep[], keysBelow: readonly Scalar[]) {
    this.#group = group
    this.#domain = domain
    this.#path = path
    this.#keys = keysBelow.map(copySecret)
  }

  /** Goes up as far as `published` allows. `isOwn` branches need no published key: `publish` is called with theirs instead. */
  advance(
    published: Published,
    isOwn: (branch: Branch) => boolean,
    publish: (branch: Branch, blinded: Element) => void,
  ): ClimbStop {
    for (;;) {
      const step = this.#path[this.#keys.length - 1]
      if (!step) return { type: "top" }
      const { branch, sibling } = step
      const siblingBlinded = sibling.blinded ?? published.get(sibling as Branch)
      if (!siblingBlinded) return { type: "waiting" }
      const next = this.#next ?? this.#compute(siblingBlinded)
      if (!next) return { type: "invalid", node: sibling }
      this.#next = next
      if (isOwn(branch)) publish(branch, next.blinded)
      else {
        const claimed = published.get(branch)
        if (!claimed) return { type: "waiting" }
        if (!equalBytes(claimed, next.blinded)) return { type: "mismatch", branch }
      }
      this.#reach(next)
    }
  }

  /** The element behind the root's key; null for a tree of one leaf. Every blinded key must have been published. */
  topShared(): Element | null {
    if (this.#keys.length <= this.#path.length) unreachable("all blinded keys are published and the top is not reached")
    return this.#topShared
  }

  /** The share and the keys of the whole path; the caller owns them from here on. The climb ends with it. */
  takeKeys(): readonly Scalar[] {
    this.#topShared?.fill(0)
    return this.#keys
  }

  erase(): void {
    for (const key of this.#keys) key.fill(0)
    this.#next?.key.fill(0)
    this.#next?.shared.fill(0)
    this.#topShared?.fill(0)
  }

  /** Null if that is no element. */
  #compute(siblingBlinded: Uint8Array): Reached | null {
    const shared = this.#group.multiplyEncoded(siblingBlinded, this.#keys.at(-1)!)
    if (isRejection(shared)) return null
    const key = this.#group.hashToScalar(this.#domain, shared)
    return { shared, key, blinded: this.#group.multiplyBase(key) }
  }

  #reach(next: Reached): void {
    this.#topShared?.fill(0)
    this.#topShared = next.shared
    this.#keys.push(next.key)
    this.#next = null
  }
}
