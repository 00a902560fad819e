/**
 * A conference with a fixed roster, in memory. The script controls presence, links, deliveries and time. A message to
 * an absent or unlinked member is lost; a new link is reported to both ends. It plays the caller of
 * `createMajorityAgreement`: it signs outgoing statements, and checks signatures of incoming ones.
 */
import { sha256, sha512 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { createMajorityAgreement, majoritySigningInput } from "@keymoot/gke"
import type {
  MajorityAgreement,
  MajorityInput,
  MemberId,
  PrimeOrderGroup,
  SignatureVerifier,
  X25519,
} from "@keymoot/gke"
import { memberNamed } from "../harness.ts"

export { toyX25519 } from "../../src/testing/index.ts"

export type Sent = {
  readonly from: MemberId
  readonly to: MemberId
  readonly via: "unicast" | "multicast"
  readonly bytes: Uint8Array
}
export type Member = {
  readonly id: MemberId
  readonly agreement: MajorityAgreement
  present: boolean
  wakeAtMs: number | null
  readonly secrets: Map<string, { readonly secret: string; readonly transcript: string }>
}
type Backends = { readonly group: PrimeOrderGroup; readonly x25519: X25519 }

/** Stands in for Ed25519: in these tests, only the holder of a member's key can make it. */
export function sign(member: MemberId, statement: Uint8Array): Uint8Array {
  return sha512(concatBytes(utf8ToBytes(`identity key of ${member}`), majoritySigningInput(statement)))
}

/** Takes a member's id for its public key. */
const verifier: SignatureVerifier = {
  verify: (publicKey, bytes, signature) =>
    bytesToHex(sha512(concatBytes(utf8ToBytes("identity key of "), publicKey, bytes))) === bytesToHex(signature),
}

export class MajorityWorld {
  readonly roster: readonly MemberId[]
  readonly members = new Map<MemberId, Member>()
  readonly faults: { readonly at: MemberId; readonly member: MemberId; readonly reason: string }[] = []
  readonly log: Sent[] = []
  inFlight: Sent[] = []
  nowMs = 0
  readonly #backends: Backends
  readonly #down = new Set<string>()
  readonly #seed: string
  #draws = 0

  constructor(backends: Backends, count: number, seed = "majority") {
    this.#backends = backends
    this.#seed = seed
    this.roster = Array.from({ length: count }, (_, i) =>
      memberNamed(`${String.fromCodePoint(0x61 + (i % 26))}${i}`),
    ).sort()
  }

  get majority(): number {
    return Math.floor(this.roster.length / 2) + 1
  }

  sid(session: number): Uint8Array {
    return sha256(utf8ToBytes(`session ${session}`))
  }

  /** There, with fresh state; the same one again is a reload. */
  arrive(id: MemberId, backends: Backends = this.#backends): void {
    const publicKeys = new Map(this.roster.map((member) => [member, utf8ToBytes(member)]))
    const agreement = createMajorityAgreement({ ...backends, self: id, verifier, publicKeys })
    this.members.set(id, { id, agreement, present: true, wakeAtMs: null, secrets: new Map() })
  }

  crash(id: MemberId): void {
    const member = this.members.get(id)
    if (member) member.present = false
  }

  present(): Member[] {
    return [...this.members.values()].filter(({ present }) => present)
  }

  startSession(id: MemberId, session: number, resumed = false): void {
    const view = {
      sid: this.sid(session),
      self: id,
      members: this.roster,
      proposal: { epoch: 1, coordinator: id },
      attachments: new Map(),
      resumed,
      session: { epoch: session, viewId: this.sid(session) },
    }
    const random = sha512(utf8ToBytes(`${this.#seed} ${id} ${++this.#draws}`))
    this.step(id, { type: "view", view, random })
  }

  step(id: MemberId, input: MajorityInput): void {
    const member = this.members.get(id)
    if (!member?.present) return
    for (const output of member.agreement.step(input)) {
      if (output.type === "unicast") this.send(id, output.to, "unicast", output.bytes)
      else if (output.type === "multicast") for (const to of this.roster) this.send(id, to, "multicast", output.bytes)
      else if (output.type === "wakeAt") member.wakeAtMs = output.deadlineMs
      else if (output.type === "fault") this.faults.push({ at: id, member: output.member, reason: output.reason })
      else if (output.type === "secret") {
        const sid = bytesToHex(output.sid)
        if (member.secrets.has(sid)) throw new Error("a session has one secret")
        member.secrets.set(sid, { secret: bytesToHex(output.secret), transcript: bytesToHex(output.transcript) })
      } else throw new Error(`unexpected ${output.type}`)
    }
  }

  /** Signs a statement as its sender does, and sends it. */
  send(from: MemberId, to: MemberId, via: "unicast" | "multicast", statement: Uint8Array): void {
    const sent = { from, to, via, bytes: concatBytes(statement, sign(from, statement)) }
    this.log.push(sent)
    if (from === to || (this.members.get(to)?.present && !this.#isDown(from, to))) this.inFlight.push(sent)
  }

  deliver(at: number): void {
    const [next] = this.inFlight.splice(at % (this.inFlight.length || 1), 1)
    if (!next || this.#isDown(next.from, next.to)) return
    const { from, to, via, bytes } = next
    this.step(to, { type: "message", from, via, bytes })
  }

  deliverAll(order: (length: number) => number = () => 0): void {
    for (let steps = 0; this.inFlight.length > 0; steps++) {
      if (steps > 100_000) throw new Error("the members never stop sending")
      this.deliver(order(this.inFlight.length))
    }
  }

  /** Advances time, and ticks the members whose `wakeAt` has come. */
  advance(ms: number): void {
    this.nowMs += ms
    for (const member of this.present()) {
      if (member.wakeAtMs === null || member.wakeAtMs > this.nowMs) continue
      member.wakeAtMs = null
      this.step(member.id, { type: "tick", nowMs: this.nowMs })
    }
  }

  unlink(a: MemberId, b: MemberId): void {
    if (a === b) return
    this.#down.add([a, b].sort().join())
    this.inFlight = this.inFlight.filter(({ from, to }) => from === to || !this.#isDown(from, to))
  }

  link(a: MemberId, b: MemberId): void {
    if (!this.#down.delete([a, b].sort().join())) return
    this.step(a, { type: "resend", to: b })
    this.step(b, { type: "resend", to: a })
  }

  linkAll(): void {
    for (const a of this.roster) for (const b of this.roster) if (a < b) this.link(a, b)
  }

  /** Everything is delivered and time passes, until nobody waits for anything or `seconds` are over. */
  settle(order: (length: number) => number = () => 0, seconds = 400): void {
    for (let i = 0; i < seconds; i++) {
      this.deliverAll(order)
      if (this.present().every(({ wakeAtMs }) => wakeAtMs === null)) return
      this.advance(1000)
    }
  }

  /** All secrets and transcripts of a session, each once: more than one would be a split. */
  outcomes(session: number): string[] {
    const sid = bytesToHex(this.sid(session))
    const all = [...this.members.values()].map(({ secrets }) => secrets.get(sid))
    return [
      ...new Set(all.filter((one) => one !== undefined).map(({ secret, transcript }) => `${secret} ${transcript}`)),
    ]
  }

  hasSecret(id: MemberId, session: number): boolean {
    return this.members.get(id)?.secrets.has(bytesToHex(this.sid(session))) ?? false
  }

  #isDown(a: MemberId, b: MemberId): boolean {
    return this.#down.has([a, b].sort().join())
  }
}
