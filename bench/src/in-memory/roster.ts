/**
 * A fixed roster in memory, for sessions of majority: no losses, no time-outs; every step of every member looked at
 * from outside.
 */
import { createMajorityAgreement } from "@keymoot/gke"
import type { MajorityAgreement, MajorityInput, MajorityOutput, MemberId, PrimeOrderGroup, X25519 } from "@keymoot/gke"
import { memberNamed } from "@keymoot/gke/testing"

export type Sent = {
  readonly from: MemberId
  /** null: to all. */
  readonly to: MemberId | null
  readonly bytes: Uint8Array
}

export type RosterStep = {
  readonly member: MemberId
  readonly outputs: readonly Sent[]
  readonly hasSecret: boolean
  readonly milliseconds: number
  /** Group multiplications and those of X25519. */
  readonly exponentiations: number
  readonly additions: number
  /** Signatures that the step itself asked about. */
  readonly verifications: number
}

/** The length is Ed25519's. Each signature is zeros and counts as valid; the measuring code adds the time. */
const SIGNATURE = new Uint8Array(64)

export class Roster {
  readonly members: readonly MemberId[]
  /** Sees each step right after it, before its outputs go anywhere. */
  onStep: (step: RosterStep) => void = () => {}
  /** Sees each delivery right before its step. */
  onDelivery: (to: MemberId, message: Sent) => void = () => {}
  readonly #agreements: ReadonlyMap<MemberId, MajorityAgreement>
  readonly #tally = { exponentiations: 0, additions: 0, verifications: 0 }
  #sessions = 0

  constructor(count: number, group: PrimeOrderGroup, x25519: X25519) {
    this.members = Array.from({ length: count }, (_, i) => memberNamed(`m${i.toString().padStart(6, "0")}`))
    const counted = { group: countedGroup(this.#tally, group), x25519: countedX25519(this.#tally, x25519) }
    const verify = (): boolean => {
      this.#tally.verifications++
      return true
    }
    const signatures = {
      verifier: { verify },
      publicKeys: new Map(this.members.map((member) => [member, new Uint8Array(32)])),
    }
    this.#agreements = new Map(
      this.members.map((self) => [self, createMajorityAgreement({ ...counted, ...signatures, self })]),
    )
  }

  /**
   * One session of those present, a majority at least; gives the rounds in which something was sent before the last secret.
   *
   * @throws Error if they come to no secret, or to different ones
   */
  session(present: readonly MemberId[]): number {
    const sid = new Uint8Array(32)
    new DataView(sid.buffer).setUint32(0, ++this.#sessions)
    const secrets = new Map<MemberId, string>()
    let sent = present.flatMap((self) => {
      const proposal = { epoch: 1, coordinator: self }
      const session = { epoch: this.#sessions, viewId: sid }
      const view = { sid, session, self, members: this.members, proposal, attachments: new Map() }
      return this.#step(self, { type: "view", view, random: crypto.getRandomValues(new Uint8Array(64)) }, secrets)
    })
    for (let rounds = 1; ; rounds++) {
      if (secrets.size === present.length) {
        if (new Set(secrets.values()).size !== 1) throw new Error("the members have not come to one secret")
        return rounds - 1
      }
      if (sent.length === 0) throw new Error("the members have not come to a secret")
      sent = sent.flatMap((message) => this.#deliver(message, present, secrets))
    }
  }

  #deliver(message: Sent, present: readonly MemberId[], secrets: Map<MemberId, string>): Sent[] {
    const { from, to, bytes } = message
    const via = to === null ? "multicast" : "unicast"
    return (to === null ? present : present.filter((id) => id === to)).flatMap((id) => {
      this.onDelivery(id, message)
      return this.#step(id, { type: "message", from, via, bytes }, secrets)
    })
  }

  #step(member: MemberId, input: MajorityInput, secrets: Map<MemberId, string>): Sent[] {
    Object.assign(this.#tally, { exponentiations: 0, additions: 0, verifications: 0 })
    const agreement = this.#agreements.get(member)!
    const start = performance.now()
    const outputs = agreement.step(input)
    const milliseconds = performance.now() - start
    const sent = outputs.flatMap((output) => sentBy(member, output))
    for (const output of outputs) {
      if (output.type === "fault") throw new Error("somebody was found at fault")
      if (output.type === "secret") secrets.set(member, output.secret.join())
    }
    this.onStep({ member, outputs: sent, hasSecret: secrets.has(member), milliseconds, ...this.#tally })
    return sent
  }
}

function sentBy(from: MemberId, output: MajorityOutput): Sent[] {
  if (output.type !== "multicast" && output.type !== "unicast") return []
  return [{ from, to: output.type === "unicast" ? output.to : null, bytes: concatenated(output.bytes, SIGNATURE) }]
}

function concatenated(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length)
  all.set(a)
  all.set(b, a.length)
  return all
}

function countedGroup(tally: { exponentiations: number; additions: number }, group: PrimeOrderGroup): PrimeOrderGroup {
  return {
    ...group,
    multiply: (e, s) => (tally.exponentiations++, group.multiply(e, s)),
    multiplyBase: (s) => (tally.exponentiations++, group.multiplyBase(s)),
    subtract: (a, b) => (tally.additions++, group.subtract(a, b)),
  }
}

function countedX25519(tally: { exponentiations: number }, x25519: X25519): X25519 {
  return {
    publicKey: (secret) => (tally.exponentiations++, x25519.publicKey(secret)),
    shared: (secret, theirs) => (tally.exponentiations++, x25519.shared(secret, theirs)),
  }
}
