/** Interface between a simulated member's group and the layer above it. */
import type { GroupCore } from "../../group/core.ts"
import type { GroupInput, GroupOutput } from "../../view/group-types.ts"
import type { MemberId } from "../../members/ids.ts"
import type { Service } from "../../wire/frame.ts"
import type { Random } from "../random/random.ts"
import type { TraceEvent } from "../oracle/trace.ts"
import type { AnyEvent } from "../../trace/trace-sink.ts"

export type UpperOutput = Extract<
  GroupOutput,
  { type: "deliver" | "view" | "transitional" | "flushRequest" | "rosterMessage" | "rosterLost" }
>

/** The layer above the group: plain traffic, or key agreement and secure multicast. */
export interface UpperLayer {
  handle(output: UpperOutput): void
  tick(): void
  /** True if it has sent everything and waits for nothing. */
  readonly idle: boolean
}

/** The operations of a member that an upper layer can use. */
export interface MemberHandle {
  readonly name: string
  readonly id: MemberId
  readonly random: Random
  /** All members that may appear, sorted. */
  readonly roster: readonly MemberId[]
  readonly group: GroupCore
  /** False once the member crashed or was restarted. */
  readonly alive: boolean
  after(delayMs: number, run: () => void): void
  multicast(kind: "data" | "agreement", service: Service, body: Uint8Array): void
  flushed(output: Extract<GroupOutput, { type: "flushRequest" }>, attachment: Uint8Array): void
  /** Passes another input to the group core. */
  input(input: GroupInput): void
  trace(event: TraceEvent): void
  /** Passes a trace event to the sink of the simulation. */
  report(event: AnyEvent): void
  /** Virtual milliseconds. */
  now(): number
}
