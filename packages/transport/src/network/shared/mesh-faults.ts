import type { MemberId } from "../../members/ids.ts"
import type { MeshOutput, SecurityCode } from "./config.ts"
import { describeFailure } from "./failures.ts"

export type MeshFaultsConfig = {
  emit(output: MeshOutput): void
  /** Ends the links with a member, and ignores its present incarnation. */
  ignore(member: MemberId, detail: string): void
}

/** Counts what is dropped, reports what a member should know, and contains failures in handling messages of others. */
export class MeshFaults {
  readonly dropped = new Map<string, number>()
  readonly #config: MeshFaultsConfig

  constructor(config: MeshFaultsConfig) {
    this.#config = config
  }

  drop(reason: string): void {
    this.dropped.set(reason, (this.dropped.get(reason) ?? 0) + 1)
  }

  security(code: SecurityCode, member: MemberId | null, detail: string): void {
    this.#config.emit({ type: "security", code, member, detail })
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
      if (from !== null) this.#config.ignore(from, detail)
      this.drop("handling failed")
      this.security("handling-failed", from, detail)
    }
  }
}
