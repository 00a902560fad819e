/** What stands above the group of a simulated member, and what it can do with it. */
import type { GroupCore } from "../group/core.ts"
import type { GroupInput, GroupOutput } from "../group/types.ts"
import type { MemberId } from "../ids.ts"
import type { Service } from "../wire/frame.ts"
import type { Random } from "./random.ts"
import type { TraceEvent } from "./trace.ts"

export type UpperOutput = Extract<
  GroupOutput,
  { type: "deliver" | "view" | "transitional" | "flushRequest" | "rosterMessage" | "rosterLost" }
>

/** The layer above the group: plain traffic, or key agreement and secure multicast. */
export interface UpperLayer {
  handle(output: UpperOutput): void
  tick(): void
  /** It has sent all that it wants to send, and waits for nothing. */
  readonly idle: boolean
}

/** What an upper layer can do. */
export interface MemberHandle {
  readonly name: string
  readonly id: MemberId
  readonly random: Random
  /** Everybody who may come, sorted. */
  readonly roster: readonly MemberId[]
  readonly group: GroupCore
  /** False once the member crashed or was started again. */
  readonly alive: boolean
  after(delayMs: number, run: () => void): void
  multicast(kind: "data" | "agreement", service: Service, body: Uint8Array): void
  flushed(output: Extract<GroupOutput, { type: "flushRequest" }>, attachment: Uint8Array): void
  /** Anything else that a group core takes. */
  input(input: GroupInput): void
  trace(event: TraceEvent): void
  /** Virtual milliseconds. */
  now(): number
}
