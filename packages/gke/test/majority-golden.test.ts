import { bytesToHex } from "@noble/hashes/utils.js"
import { expect, test } from "vitest"
import { loadSodiumGroup, loadSodiumX25519, type MemberId } from "@keymoot/gke"
import type { ConsensusMessage } from "../src/consensus/messages.ts"
import { createMajorityCodec, type Payload, type SealedShare } from "../src/majority/majority-codec.ts"
import { MajorityWorld } from "./majority/majority-world.ts"

const backends = { group: await loadSodiumGroup(), x25519: await loadSodiumX25519() }
const codec = createMajorityCodec(backends.group)
const nameOf = (id: MemberId): string => String.fromCodePoint(Number.parseInt(id.slice(0, 2), 16))
const short = (bytes: Uint8Array): string => bytesToHex(bytes.subarray(0, 4))

/** A run as a script: what happened, who sent what to whom, and what everybody has in the end. */
class Script {
  readonly world = new MajorityWorld(backends, 5, "golden")
  readonly #lines: string[] = []
  #said = 0

  id(name: string): MemberId {
    return this.world.roster.find((id) => nameOf(id) === name)!
  }

  happen(why: string, what: () => void): void {
    this.#lines.push("", `# ${why}`)
    what()
    this.world.settle()
    const sent = this.world.log.slice(this.#said).filter(({ from, to }) => from !== to)
    this.#said = this.world.log.length
    const multicasts = new Set<string>()
    for (const { from, to, via, bytes } of sent) {
      const { sid, payload } = codec.decodeSigned(bytes)!.statement
      const line = `${short(sid)} ${nameOf(from)} → ${via === "multicast" ? "all" : nameOf(to)}: ${this.#payload(payload)}`
      if (via === "unicast" || !multicasts.has(bytesToHex(bytes))) this.#lines.push(line)
      multicasts.add(bytesToHex(bytes))
    }
    for (const { at, member, reason } of this.world.faults)
      this.#lines.push(`FAULT ${nameOf(at)} of ${nameOf(member)}: ${reason}`)
  }

  sayOutcome(session: number): void {
    const holders = this.world.roster.filter((id) => this.world.hasSecret(id, session)).map(nameOf)
    for (const outcome of this.world.outcomes(session)) {
      const [secret, transcript] = outcome.split(" ").map((hex) => hex.slice(0, 8))
      this.#lines.push(`${holders.join(" ")}: secret ${secret}, transcript ${transcript}`)
    }
  }

  text(): string {
    return `${this.#lines.join("\n").trim()}\n`
  }

  #payload(payload: Payload): string {
    if (payload.kind === "consensus") return this.#consensus(payload.message)
    if (payload.kind === "offer") return `offer C ${short(payload.share)}, PK ${short(payload.key)}`
    if (payload.kind === "return") return `return PK ${short(payload.key)}`
    if (payload.kind === "introduction")
      return `introduction C ${short(payload.offer.share)}, PK ${short(payload.offer.key)}`
    if (payload.kind === "handover")
      return `handover of ${this.#owner(payload.owner)}'s y, ${this.#sealed(payload.sealed)}`
    return `contribution to C ${short(payload.offer.share)}, ${this.#sealed(payload.sealed)}`
  }

  #consensus(message: ConsensusMessage): string {
    if (message.kind === "want" || message.kind === "alive") return message.kind
    if (message.kind === "decided") return `decided ${short(message.digest)}`
    if (message.kind === "decision") return `decision ${this.#proposal(message.value)}`
    const round = `round ${message.round}`
    if (message.kind === "call") return `call to ${round}`
    if (message.kind === "reply") return `${round} ${message.ack ? "ack" : "nack"}`
    if (message.kind === "propose") return `${round} proposal ${this.#proposal(message.value)}`
    return `${round} estimate of round ${message.stamp} ${this.#proposal(message.value)}`
  }

  #proposal(value: Uint8Array): string {
    const { owners, differences } = codec.decodeProposal(value)!
    return `(${owners.map(({ owner }) => this.#owner(owner)).join(" ")}; ${differences.map(short).join(" ")})`
  }

  #sealed({ recipientKey, enc }: SealedShare): string {
    return `sealed to ${short(recipientKey)} by ${short(enc)}`
  }

  #owner(index: number): string {
    return nameOf(this.world.roster[index]!)
  }
}

test("a small conference under majority sends the recorded bytes", async () => {
  const script = new Script()
  const { world } = script
  const start = (names: string, session: number): void => {
    for (const name of names) if (!world.members.has(script.id(name))) world.arrive(script.id(name))
    for (const name of names) world.startSession(script.id(name), session)
  }
  script.happen("a and c, of five, are there: too few", () => start("ac", 1))
  script.happen("d comes: a majority; b, who would lead round 1, is away", () => start("d", 1))
  script.sayOutcome(1)
  script.happen("the owners but d crash; e starts late", () => {
    for (const name of "ac") world.crash(script.id(name))
    start("e", 1)
  })
  script.sayOutcome(1)
  script.happen("d reloads, having lost its state", () => {
    world.arrive(script.id("d"))
    world.startSession(script.id("d"), 1, true)
  })
  script.sayOutcome(1)
  await expect(script.text()).toMatchFileSnapshot("golden/majority.txt")
})
