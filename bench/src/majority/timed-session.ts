/**
 * One session of majority in virtual time. Each member has a processor of its own, and computes for as long as on this machine.
 * Messages have the network's delay, and only the virtual clock ends a timeout.
 */
import { createMajorityAgreement } from "@keymoot/gke"
import type { MajorityAgreement, MajorityInput, MemberId, PrimeOrderGroup, X25519 } from "@keymoot/gke"
import { memberNamed } from "@keymoot/gke/testing"
import { EventQueue } from "@keymoot/transport/testing"
import type { Ed25519Times } from "../experiment/machine.ts"
import type { DelayMs } from "../experiment/networks.ts"
import { Processor } from "../rekey/processor.ts"

const PATIENCE_MS = 600_000
const LOOK_MS = 5
const RANDOM_BYTES = 64
/** Every signature counts as valid. The time of signing is added. */
const SIGNATURE = new Uint8Array(64)

export type Cast = {
  readonly group: PrimeOrderGroup
  readonly x25519: X25519
  readonly times: Ed25519Times
  readonly delayMs: DelayMs
  /** Size of the whole roster. */
  readonly roster: number
  /** How many of it start; the rest is away. */
  readonly present: number
  /** After how many steps a member is gone for good, by its number. */
  readonly crashes: ReadonlyMap<number, number>
}

type Member = {
  readonly id: MemberId
  readonly number: number
  readonly agreement: MajorityAgreement
  readonly processor: Processor
  steps: number
  keyAtMs: number | null
  secret: string
}

/**
 * Everybody starts at 0; gives the virtual time of the key at each member that did not crash.
 *
 * @throws Error if they come to no key, or to different ones
 */
export function timedSession(cast: Cast): readonly number[] {
  const session = new TimedSession(cast)
  return session.run()
}

class TimedSession {
  readonly #cast: Cast
  readonly #events = new EventQueue()
  readonly #members: readonly Member[]
  readonly #roster: readonly MemberId[]

  constructor(cast: Cast) {
    this.#cast = cast
    const { group, x25519, roster, present, times } = cast
    this.#roster = Array.from({ length: roster }, (_, i) => memberNamed(`m${i.toString().padStart(6, "0")}`))
    const publicKeys = new Map(this.#roster.map((member) => [member, new Uint8Array(32)]))
    this.#members = this.#roster.slice(0, present).map((self, number) => {
      const processor = new Processor()
      const verify = (): boolean => {
        processor.add(times.verifyMs)
        return true
      }
      const agreement = createMajorityAgreement({ group, x25519, self, verifier: { verify }, publicKeys })
      return { id: self, number, agreement, processor, steps: 0, keyAtMs: null, secret: "" }
    })
  }

  run(): readonly number[] {
    const sid = crypto.getRandomValues(new Uint8Array(32))
    for (const member of this.#members) {
      const proposal = { epoch: 1, coordinator: member.id }
      const session = { epoch: 1, viewId: sid }
      const view = { sid, session, self: member.id, members: this.#roster, proposal, attachments: new Map() }
      this.#step(member, { type: "view", view, random: crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)) }, 0)
    }
    const staying = this.#members.filter(({ number }) => !this.#cast.crashes.has(number))
    while (staying.some(({ keyAtMs }) => keyAtMs === null)) {
      if (this.#events.nowMs > PATIENCE_MS) throw new Error("the members have not come to a key")
      this.#events.runUntil(this.#events.nowMs + LOOK_MS)
    }
    if (new Set(staying.map(({ secret }) => secret)).size !== 1) throw new Error("the members have different keys")
    return staying.map(({ keyAtMs }) => keyAtMs!)
  }

  #step(member: Member, input: MajorityInput, addedMs: number): void {
    if (member.steps++ >= (this.#cast.crashes.get(member.number) ?? Infinity)) return
    const { processor, agreement } = member
    processor.run(this.#events.nowMs, () => {
      processor.add(addedMs)
      for (const output of agreement.step(input)) {
        if (output.type === "fault") throw new Error("somebody was found at fault")
        else if (output.type === "wakeAt") this.#wake(member, output.deadlineMs)
        else if (output.type === "secret" && member.keyAtMs === null) {
          member.keyAtMs = processor.nowMs()
          member.secret = output.secret.join()
        } else if (output.type === "multicast" || output.type === "unicast") {
          processor.add(this.#cast.times.signMs)
          this.#send(member, output.type === "unicast" ? output.to : null, output.bytes)
        }
      }
    })
  }

  #wake(member: Member, deadlineMs: number): void {
    const { nowMs } = this.#events
    this.#events.after(Math.max(0, deadlineMs - nowMs), () => {
      this.#step(member, { type: "tick", nowMs: this.#events.nowMs }, 0)
    })
  }

  #send(from: Member, to: MemberId | null, statement: Uint8Array): void {
    const bytes = new Uint8Array(statement.length + SIGNATURE.length)
    bytes.set(statement)
    const via = to === null ? "multicast" : "unicast"
    for (const member of this.#members) {
      if (to !== null && member.id !== to) continue
      const isOwn = member === from
      const sentMs = from.processor.nowMs()
      const arrivesMs = sentMs + (isOwn ? 0 : this.#cast.delayMs(from.number, member.number))
      this.#events.after(Math.max(0, arrivesMs - this.#events.nowMs), () => {
        const { verifyMs } = this.#cast.times
        this.#step(member, { type: "message", from: from.id, via, bytes }, isOwn ? 0 : verifyMs)
      })
    }
  }
}
