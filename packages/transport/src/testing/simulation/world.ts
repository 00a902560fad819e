/** State that the members of a simulation share. */
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { memberIdFromBytes, type MemberId } from "../../members/ids.ts"
import type { TraceSink } from "../../trace/trace-sink.ts"
import type { GroupConfig } from "../../view/group-types.ts"
import type { TraceEvent } from "../oracle/trace.ts"
import type { EventQueue } from "../random/event-queue.ts"
import type { Random } from "../random/random.ts"
import type { Equivocator, Lies } from "./equivocator.ts"
import type { MemberLife } from "./member-life.ts"
import type { Network } from "./network.ts"
import type { OverlayNetwork } from "./overlay-network.ts"
import type { SimulatedFrames } from "./simulated-frames.ts"
import type { TraceNames } from "./trace-names.ts"

export type World = {
  readonly events: EventQueue
  readonly network: Network | OverlayNetwork
  readonly random: Random
  readonly trace: TraceEvent[]
  readonly sink: TraceSink | undefined
  readonly names: TraceNames
  readonly ids: ReadonlyMap<string, MemberId>
  readonly frames: SimulatedFrames
  readonly tickMs: number
  /** Omits the ticks that a core does not need, and counts them. */
  readonly omitted: { ticks: number } | undefined
  readonly lies: Lies | undefined
  readonly equivocator: Equivocator | undefined
  /** Reliable messages sent so far, by view. */
  readonly sent: Map<string, number>
}

/** Makes a member for one of its lives. */
export type CreateMember = (world: World, name: string, id: MemberId, config: GroupConfig) => MemberLife

export function simulatedId(name: string, seed: number): MemberId {
  return memberIdFromBytes(sha256(utf8ToBytes(`${seed} ${name}`)).slice(0, 16))
}
