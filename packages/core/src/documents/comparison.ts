import type { MemberId } from "@keymoot/transport"
import { equalBytes } from "../wire/index.ts"

/** Consecutive different digests of one member after which this member requests what it lacks. */
export const DIFFERENCES_BEFORE_WISH = 2
/**
 * Consecutive different digests after which it notifies the application, because no message can make the documents
 * equal.
 */
export const DIFFERENCES_BEFORE_REPORT = 4
/**
 * Consecutive different digests that are answered. More than `DIFFERENCES_BEFORE_REPORT`, because the counts of two
 * members can differ: one answer may stand for several digests. The other member needs enough of them to report too.
 */
export const DIFFERENCES_ANSWERED_MAX = 4 * DIFFERENCES_BEFORE_REPORT

/**
 * - same: nothing to do.
 * - again: resend the own digest, because updates may have been in transit, or because the other member has counted less.
 * - wish: request what is missing, and resend the digest.
 * - differs: the documents stay different. Report it, and resend the digest.
 */
export type Verdict = "same" | "again" | "wish" | "differs"

/**
 * Compares digests of one document. Members send theirs after each quiet period. A digest from before the last change
 * says nothing about the present document and is dropped.
 */
export class Comparison {
  #own: Uint8Array | null = null
  readonly #others = new Map<MemberId, Uint8Array>()
  readonly #differences = new Map<MemberId, number>()

  /** Whether the last digest of a present member was a different one. */
  get differs(): boolean {
    return this.#differences.size > 0
  }

  /** Drops the digests of the former content. */
  changed(): void {
    this.#own = null
    this.#others.clear()
  }

  /** Updates in transit at the view change will not arrive. */
  onView(present: ReadonlySet<MemberId>): void {
    this.changed()
    for (const member of this.#differences.keys()) if (!present.has(member)) this.#differences.delete(member)
  }

  /** Sets the digest of the present document. */
  setOwn(digest: Uint8Array): Map<MemberId, Verdict> {
    this.#own = digest
    const verdicts = new Map([...this.#others.keys()].map((member) => [member, this.#compare(member)]))
    this.#others.clear()
    return verdicts
  }

  receive(from: MemberId, digest: Uint8Array): Verdict {
    this.#others.set(from, digest)
    if (!this.#own) return "same"
    const verdict = this.#compare(from)
    this.#others.delete(from)
    return verdict
  }

  #compare(member: MemberId): Verdict {
    if (equalBytes(this.#own!, this.#others.get(member)!)) {
      this.#differences.delete(member)
      return "same"
    }
    const differences = (this.#differences.get(member) ?? 0) + 1
    this.#differences.set(member, differences)
    if (differences === DIFFERENCES_BEFORE_REPORT) return "differs"
    if (differences > DIFFERENCES_ANSWERED_MAX) return "same"
    return differences >= DIFFERENCES_BEFORE_WISH && differences < DIFFERENCES_BEFORE_REPORT ? "wish" : "again"
  }
}
