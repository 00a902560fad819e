/**
 * Key agreement alone, from a view that all install at once to the last member's key. Each member has a processor of its own,
 * or shares one, and computes for as long as `msOf` says. Each message has the network's delay, is signed once and verified by
 * each receiver.
 */
import type { MemberId } from "@keymoot/gke"
import type { Multicast, Unicast } from "@keymoot/gke/testing"
import { EventQueue } from "@keymoot/transport/testing"
import type { Conference, Step } from "../in-memory/conference.ts"
import type { Ed25519Times } from "../experiment/machine.ts"
import type { DelayMs } from "../experiment/networks.ts"

/** More virtual time than any agreement takes. */
const PATIENCE_MS = 1_000_000

/** `processors`: how many there are for all members; null if each has its own. */
export type Surroundings = { readonly delayMs: DelayMs; readonly processors: number | null }

/** Changes the view to these members; gives milliseconds of virtual time. */
export function agreementMs(
  conference: Conference,
  ids: readonly MemberId[],
  { delayMs, processors }: Surroundings,
  { signMs, verifyMs }: Ed25519Times,
  msOf: (step: Step) => number,
): number {
  const { harness } = conference
  const view = harness.viewOf(harness.propose(ids))
  const events = new EventQueue()
  const numbers = new Map(ids.map((id, number) => [id, number]))
  const processorOf = (id: MemberId): number => numbers.get(id)! % (processors ?? ids.length)
  const freeAtMs = ids.map(() => 0)
  const keyAtMs = new Map<MemberId, number>()
  let stepMs = 0
  conference.onStep = (step) => (stepMs += msOf(step))

  const work = (id: MemberId, addedMs: number, act: () => void): void => {
    const before = [view.log.length, view.unicasts.length] as const
    stepMs = 0
    act()
    const sent = [...view.log.slice(before[0]), ...view.unicasts.slice(before[1])]
    const doneMs = Math.max(events.nowMs, freeAtMs[processorOf(id)]!) + addedMs + stepMs + sent.length * signMs
    freeAtMs[processorOf(id)] = doneMs
    if (harness.member(id).secret && !keyAtMs.has(id)) keyAtMs.set(id, doneMs)
    for (const message of sent) send(message, doneMs)
  }
  const send = (message: Multicast | Unicast, sentMs: number): void => {
    const isUnicast = "to" in message
    for (const to of isUnicast ? [message.to] : ids) {
      const isOwn = to === message.from
      const travelMs = isOwn ? 0 : delayMs(numbers.get(message.from)!, numbers.get(to)!)
      events.after(sentMs + travelMs - events.nowMs, () => {
        const deliver = () => harness.deliverNext(to, message.from, isUnicast ? "unicast" : "multicast")
        work(to, isOwn ? 0 : verifyMs, deliver)
      })
    }
  }

  for (const id of ids) work(id, 0, () => harness.installAt(id, view))
  events.runUntil(PATIENCE_MS)
  conference.onStep = () => {}
  conference.assertOneKey(ids)
  return Math.max(...keyAtMs.values())
}
