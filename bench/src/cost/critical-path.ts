/**
 * Cost of one view change. "Critical path" is the papers' "computation that needs to be processed strictly serial". It is the
 * longest chain of work, at any members, from the view to the last member's key.
 */
import type { MemberId } from "@keymoot/gke"
import type { Multicast, Unicast, View } from "@keymoot/gke/testing"
import type { Conference, Step, Work } from "../in-memory/conference.ts"
import { type Roles, rolesOf } from "./roles.ts"

export const COST_METRICS = [
  "rounds",
  "unicasts",
  "multicasts",
  "exponentiations",
  "additions",
  "signatures",
  "verifications",
  "bytes",
] as const

/** Key pairs, encapsulations and decapsulations of a hybrid conference. */
export const KEM_OPERATIONS = "KEM operations"

/**
 * `exponentiations`, `additions`, `KEM operations`, `signatures`, `verifications`: on the critical path, each by itself.
 * `bytes`: of all messages, each once, unsigned.
 */
export type Cost = Readonly<Record<(typeof COST_METRICS)[number] | typeof KEM_OPERATIONS, number>>

/**
 * Cost of the SYNCs, which every view change exchanges, with or without a key: one signed by each member, verified by each other.
 * `exponentiations`, `KEM operations`: at one member, for its contribution. `bytes`: of all contributions, without what membership puts around them.
 */
export type FlushCost = Pick<
  Cost,
  "rounds" | "multicasts" | "exponentiations" | typeof KEM_OPERATIONS | "signatures" | "verifications" | "bytes"
>

/** PROPOSE, SYNC and INSTALL. A member that lacks messages adds a fourth, which fetches them. */
const FLUSH_ROUNDS = 3
/** The proposer sends PROPOSE and INSTALL to all. */
const FLUSH_MULTICASTS_OF_PROPOSER = 2
const CONFIRMATION_ROUNDS = 1
/** A MAC. */
const CONFIRMATION_BYTES = 32

/** Cost of the confirmations, which follow every key. Each member multicasts one. */
export type ConfirmationCost = Pick<Cost, "rounds" | "multicasts" | "bytes">

/** All messages of a view change: flush, key agreement and confirmations. */
export type WholeCost = { readonly rounds: number; readonly messages: number }

export type ChangeCost = {
  readonly cost: Cost
  readonly flush: FlushCost
  readonly confirmation: ConfirmationCost
  readonly whole: WholeCost
  readonly roles: Roles
}

const SERIAL = ["exponentiations", "additions", KEM_OPERATIONS, "signatures", "verifications"] as const
export type Load = Record<(typeof SERIAL)[number], number>
type Message = Multicast | Unicast

/** One undisturbed view change. `before`: the members of the former view of most of them. */
export function measureChange(
  conference: Conference,
  ids: readonly MemberId[],
  before: readonly MemberId[],
): ChangeCost {
  const { harness } = conference
  const contributed: Work[] = []
  conference.onStep = (step) => contributed.push(step)
  const proposal = harness.propose(ids)
  const view = harness.viewOf(proposal)
  const path = new Path(conference, view)
  const rounds = path.run()
  conference.onStep = () => {}
  conference.assertOneKey(ids)
  const messages = view.log.length + view.unicasts.length
  return {
    cost: {
      rounds,
      unicasts: view.unicasts.length,
      multicasts: view.log.length,
      ...path.longest(),
      bytes: bytesOf([...view.log, ...view.unicasts].map(({ bytes }) => bytes)),
    },
    flush: {
      rounds: FLUSH_ROUNDS,
      multicasts: ids.length,
      exponentiations: Math.max(...contributed.map(({ exponentiations }) => exponentiations)),
      [KEM_OPERATIONS]: Math.max(...contributed.map(({ kemOperations }) => kemOperations)),
      signatures: 1,
      verifications: ids.length - 1,
      bytes: bytesOf([...proposal.attachments.values()]),
    },
    confirmation: {
      rounds: CONFIRMATION_ROUNDS,
      multicasts: ids.length,
      bytes: ids.length * CONFIRMATION_BYTES,
    },
    whole: {
      rounds: FLUSH_ROUNDS + rounds + CONFIRMATION_ROUNDS,
      messages: FLUSH_MULTICASTS_OF_PROPOSER + ids.length + messages + ids.length,
    },
    roles: rolesOf(path.worked, new Set([...view.log, ...view.unicasts].map(({ from }) => from)), before),
  }
}

function bytesOf(all: readonly Uint8Array[]): number {
  return all.reduce((sum, bytes) => sum + bytes.length, 0)
}

/** Gives each member a clock that runs in work instead of time, and each message that of its sender. */
class Path {
  readonly #conference: Conference
  readonly #view: View
  readonly #clocks = new Map<MemberId, Load>()
  readonly #atKey = new Map<MemberId, Load>()
  readonly #sent = new Map<Message, Load>()
  /** Exponentiations of each member, on the path or beside it. */
  readonly worked = new Map<MemberId, number>()

  constructor(conference: Conference, view: View) {
    this.#conference = conference
    this.#view = view
    for (const id of view.members) {
      this.#clocks.set(id, idle())
      this.worked.set(id, 0)
    }
    conference.onStep = (step) => this.#work(step)
  }

  /** Gives the rounds in which something was sent. */
  run(): number {
    const { harness } = this.#conference
    const { members } = this.#view
    for (const id of members) this.#after(id, () => harness.installAt(id, this.#view))
    for (let rounds = 0, seen = 0; ; rounds++) {
      const round = [...this.#sent].slice(seen)
      if (round.length === 0) return rounds
      seen += round.length
      // As they would arrive on a network that takes no time.
      round.sort(([, a], [, b]) => a.exponentiations - b.exponentiations)
      for (const id of members) {
        for (const [message, sentAt] of round) {
          if ("to" in message && message.to !== id) continue
          this.#wait(id, message, sentAt)
          this.#after(id, () => harness.deliverNext(id, message.from, "to" in message ? "unicast" : "multicast"))
        }
      }
    }
  }

  longest(): Load {
    const longest = idle()
    for (const load of this.#atKey.values()) raise(longest, load)
    return longest
  }

  #wait(id: MemberId, { from }: Message, sentAt: Load): void {
    const clock = this.#clocks.get(id)!
    raise(clock, sentAt)
    if (from !== id) clock.verifications++
  }

  #work({ member, exponentiations, additions, kemOperations }: Step): void {
    const clock = this.#clocks.get(member)!
    clock.exponentiations += exponentiations
    this.worked.set(member, this.worked.get(member)! + exponentiations)
    clock.additions += additions
    clock[KEM_OPERATIONS] += kemOperations
  }

  #after(id: MemberId, act: () => void): void {
    const { log, unicasts } = this.#view
    const [multicastsBefore, unicastsBefore] = [log.length, unicasts.length]
    act()
    const clock = this.#clocks.get(id)!
    for (const message of [...log.slice(multicastsBefore), ...unicasts.slice(unicastsBefore)]) {
      clock.signatures++
      this.#sent.set(message, { ...clock })
    }
    if (this.#conference.harness.member(id).secret && !this.#atKey.has(id)) this.#atKey.set(id, { ...clock })
  }
}

export function idle(): Load {
  return { exponentiations: 0, additions: 0, [KEM_OPERATIONS]: 0, signatures: 0, verifications: 0 }
}

export function raise(clock: Load, other: Load): void {
  for (const what of SERIAL) clock[what] = Math.max(clock[what], other[what])
}
