import type { MemberId } from "../../members/ids.ts"
import type { SecurityCode } from "../shared/config.ts"
import { describeFailure } from "../shared/failures.ts"
import type { PartOutput } from "./mesh-base.ts"

/** Counts what is dropped, reports what a member should know, and contains failures in handling messages of others. */
export class MeshFaults {
  readonly dropped = new Map<string, number>()
  readonly #emit: (output: PartOutput) => void

  constructor(emit: (output: PartOutput) => void) {
    this.#emit = emit
  }

  drop(reason: string): void {
    this.dropped.set(reason, (this.dropped.get(reason) ?? 0) + 1)
  }

  security(code: SecurityCode, member: MemberId | null, detail: string): void {
    this.#emit({ type: "security", code, member, detail })
  }

  /**
   * Contains failures in handling messages from the room. `from` is the member that certainly sent this now, and is
   * ignored on failure. Null for messages that the server could have forged or replayed.
   */
  contain(from: MemberId | null, handle: () => void): void {
    try {
      handle()
    } catch (error) {
      const detail = describeFailure(error)
      if (from !== null) this.#emit({ type: "ignore", member: from, detail })
      this.drop("handling failed")
      this.security("handling-failed", from, detail)
    }
  }
}
