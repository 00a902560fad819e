import { randomBytes } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { conferenceIdOf, descriptorHashOf } from "@keymoot/transport/signaling-protocol"
import { observed, withServer } from "../flood/loaded-server.ts"
import { RelayMember } from "./relay-member.ts"

const ROOM_MEMBERS = 4

export interface RelayLoadFigures {
  readonly joins: number
  /** By reason. */
  readonly failures: Readonly<Record<string, number>>
  readonly medianMs: number
  readonly p99Ms: number
  readonly frames: number
  readonly serverCpuSeconds: number
  readonly rssMiB: number
}

/** Rooms of four fill over the server's relay, so many joins a second. All connections are on this machine. */
export function relayLoad(rooms: number, joinsPerSecond: number): Promise<RelayLoadFigures> {
  return withServer(async (url) => {
    const latenciesMs: number[] = []
    const failures: Record<string, number> = {}
    const members: RelayMember[] = []
    const joins: Promise<void>[] = []
    const startedMs = performance.now()
    const conferences = Array.from({ length: rooms }, () => randomBytes(500))
    // One member after another in each room: the turn of a room comes again after all others.
    for (let turn = 0; turn < rooms * ROOM_MEMBERS; turn++) {
      const others = Math.floor(turn / rooms)
      const descriptor = conferences[turn % rooms]!
      const member = new RelayMember(url, conferenceIdOf(descriptorHashOf(descriptor)), turn)
      members.push(member)
      const joining = join(member, descriptor, others).then(
        (ms) => void (others > 0 && latenciesMs.push(ms)),
        (error: unknown) => {
          const why = String(error)
          failures[why] = (failures[why] ?? 0) + 1
        },
      )
      joins.push(joining)
      await sleep(Math.max(0, startedMs + ((turn + 1) * 1000) / joinsPerSecond - performance.now()))
    }
    await Promise.all(joins)
    const { serverCpuSeconds, rssMiB } = await observed(url)
    for (const member of members) member.leave()
    const sorted = latenciesMs.toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
    const frames = members.reduce((sum, member) => sum + member.frames, 0)
    const latencies = { medianMs: at(0.5), p99Ms: at(0.99) }
    return { joins: joins.length, failures, ...latencies, frames, serverCpuSeconds, rssMiB }
  })
}

async function join(member: RelayMember, descriptor: Uint8Array, others: number): Promise<number> {
  await member.connect()
  if (others === 0) await member.create(descriptor)
  const sinceMs = performance.now()
  await member.join(others)
  return performance.now() - sinceMs
}
