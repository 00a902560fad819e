/**
 * How many messages of one kilobyte a second all members have delivered, and how long one takes when nothing else is
 * said.
 */
import type { LinkedMember } from "@keymoot/core/testing"
import type { OrderedService } from "../rekey/member.ts"
import type { InMemoryRoom } from "./room.ts"

export const MESSAGE_BYTES = 1024
/** Waiting with each sender: always enough for the next batch. */
const UNDER_WAY = 2000

/**
 * Messages that every member has delivered. On a machine with other work, the second figure is the steadier one;
 * browsers do not tell it.
 */
export type Rate = { readonly perSecond: number; readonly perProcessorSecond: number | null }

/** All send as fast as they are let. */
export async function throughput(room: InMemoryRoom, service: OrderedService, forMs: number): Promise<Rate> {
  const delivered = new Map(room.members.map((member) => [member, 0]))
  room.onDelivered = (member, payloads) => void delivered.set(member, delivered.get(member)! + payloads.length)
  const least = (): number => Math.min(...delivered.values())
  let over = false
  const senders = room.members.map((member) => keepSending(member, service, () => over))
  await pause(forMs / 4)
  const [from, fromMs, processorFromMs] = [least(), performance.now(), processorMs()]
  await pause(forMs)
  over = true
  await Promise.all(senders)
  // To the last delivery: batches are so large that a moment between two of them would make much of the figure.
  const [to, toMs, processorToMs] = [least(), performance.now(), processorMs()]
  room.onDelivered = () => {}
  const per = (ms: number): number => ((to - from) * 1000) / ms
  return {
    perSecond: per(toMs - fromMs),
    perProcessorSecond: processorFromMs === null ? null : per(processorToMs! - processorFromMs),
  }
}

/** Processor time of all threads; null in a browser. */
function processorMs(): number | null {
  if (typeof process === "undefined") return null
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function keepSending(member: LinkedMember, service: OrderedService, over: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let under = 0
    const fill = (): void => {
      for (; under < UNDER_WAY && !over(); under++) void send()
      if (under === 0) resolve()
    }
    const send = async (): Promise<void> => {
      await member.send(new Uint8Array(MESSAGE_BYTES), service).catch(reject)
      under--
      if (under <= UNDER_WAY / 2) fill()
    }
    fill()
  })
}

/** One message after another, each by another member; milliseconds until the last member has it. */
export async function latencies(room: InMemoryRoom, service: OrderedService, count: number): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const startMs = performance.now()
    const everywhere = new Promise<void>((resolve) => {
      let missing = room.members.length
      room.onDelivered = (_, payloads) => {
        missing -= payloads.length
        if (missing === 0) resolve()
      }
    })
    await Promise.all([everywhere, room.members[i % room.members.length]!.send(new Uint8Array(MESSAGE_BYTES), service)])
    times.push(performance.now() - startMs)
  }
  room.onDelivered = () => {}
  return times
}

function pause(forMs: number): Promise<void> {
  return new Promise((done) => setTimeout(done, forMs))
}
