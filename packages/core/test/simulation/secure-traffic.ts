import { aesGcm } from "../../src/ciphers/index.ts"
import { majoritySigningInput } from "@keymoot/gke"
import type { MemberId, Service, View } from "@keymoot/transport"
import { SERVICES, type MemberHandle, type UpperLayer, type UpperOutput } from "@keymoot/transport/testing"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import type { KeyAgreementName, PostQuantum } from "../../src/api/index.ts"
import {
  encodeRosterBody,
  type RosterMember,
  SecureGroup,
  type SecureGroupInput,
  type SecureGroupOutput,
} from "../../src/secure-group/index.ts"
import { traceSecureGroup } from "../../src/trace/layer-event.ts"
import type { Cryptography } from "./cryptography.ts"

/** A member's statements of hosts, and its reaction when members of its view have different ones. */
export type Heard = { digest: () => Uint8Array; apart: (view: View) => void }

const NOTHING_HEARD: Heard = { digest: () => new Uint8Array(32), apart: () => undefined }

/** An upper layer of the simulator that agrees a key in each view and sends once it is secured. */
export class SecureTraffic implements UpperLayer {
  readonly #member: MemberHandle
  readonly #untilMs: number
  readonly #module: KeyAgreementName
  readonly #sign: Cryptography["sign"]
  readonly #secure: SecureGroup
  /** The latest flush request of the present view. */
  #request: Extract<UpperOutput, { type: "flushRequest" }> | null = null
  /** View that the secure group is in. The group below is in the next one while the last messages of this one come up. */
  #view = ""
  #keyed = false
  #secured = false
  #farewells = 0

  readonly #heard: Heard
  readonly #chance: (nowMs: number) => number

  /** Sends at a tick with the chance of that time until `untilMs`, then once over each service. */
  constructor(
    member: MemberHandle,
    { group, x25519, kem, publicKeyOf, sign, verifier }: Cryptography,
    module: KeyAgreementName,
    untilMs: number,
    chance: (nowMs: number) => number,
    heard = NOTHING_HEARD,
    postQuantum: PostQuantum = "off",
  ) {
    this.#heard = heard
    this.#member = member
    this.#chance = chance
    this.#untilMs = untilMs
    this.#module = module
    this.#sign = sign
    const common = {
      self: member.id,
      group,
      conferenceId: new Uint8Array(16),
      descriptorHash: new Uint8Array(32),
      cipher: aesGcm,
      postQuantum,
      kem,
      invitation: new Uint8Array(32),
      random: member.random,
    }
    this.#secure = new SecureGroup(
      module === "majority"
        ? {
            ...common,
            module,
            roster: member.roster.map((id) => ({ ...named(id), publicKey: publicKeyOf(id) })),
            statementsHash: new Uint8Array(32),
            x25519,
            verifier,
          }
        : { ...common, module, prints: { of: (id) => named(id).fingerprint } },
    )
  }

  handle(output: UpperOutput): void {
    if (output.type === "view") {
      this.#request = null
      this.#view = output.view.id
    }
    if (output.type !== "flushRequest") return this.#step(output)
    this.#request = output
    this.#step({ ...output, statementsDigest: this.#heard.digest() })
  }

  #step(input: SecureGroupInput): void {
    const outputs = this.#secure.step(input)
    traceSecureGroup((event) => this.#member.report(event), outputs)
    for (const output of outputs) this.#take(output)
  }

  #take(output: SecureGroupOutput): void {
    switch (output.type) {
      case "multicast":
      case "proof": {
        // As a signature does, sending takes a moment; when the view is ending by then, it is dropped.
        const { group } = this.#member
        const view = this.#view
        return this.#member.after(0.2, () => {
          if (group.maySend && group.view.id === view) this.#member.multicast("agreement", "fifo", output.body)
        })
      }
      case "statement": {
        const signature = this.#sign(this.#member.id, majoritySigningInput(output.statement))
        const body = encodeRosterBody({ ...output, signature })
        return this.#member.after(0.2, () => {
          for (const to of output.to) this.#member.input({ type: "roster", to, body })
          if (output.via === "multicast") this.#step({ type: "rosterMessage", from: this.#member.id, body })
        })
      }
      case "flushed": {
        const request = this.#request!
        return this.#member.after(this.#member.random.next() * 15, () => {
          if (this.#request === request) this.#member.flushed(request, output.attachment)
        })
      }
      case "agreeing":
        this.#keyed = false
        this.#secured = false
        this.#farewells = 0
        return
      case "keyed": {
        this.#keyed = true
        const { id } = output.view
        const key = bytesToHex(sha256(output.epochKey))
        return this.#member.trace({
          t: this.#member.now(),
          e: "keyed",
          p: this.#member.name,
          id,
          key,
          module: this.#module,
        })
      }
      case "secured":
        this.#secured = true
        return
      case "data":
        if (!this.#keyed) throw new Error(`${this.#member.name} can never open what it was delivered`)
        return
      case "fault":
        throw new Error(`${this.#member.name} blames ${output.member}: ${output.reason}`)
      case "overdue":
        return this.#member.input({ type: "obstructed", by: output.member })
      case "refreshDue":
        return this.#member.input({ type: "refresh" })
      case "apart":
        return this.#heard.apart(output.view)
    }
  }

  get idle(): boolean {
    // Too few of a roster may have nothing to wait for.
    return !this.#secure.expectsKey || (this.#secured && this.#farewells === SERVICES.length)
  }

  /** Messages from here on are sent under the key of this view. */
  get open(): boolean {
    return this.#secured && this.#member.group.maySend
  }

  tick(): void {
    this.#step({ type: "tick", nowMs: this.#member.now() })
    const { group, random } = this.#member
    if (this.#module === "majority" && random.chance(0.01)) this.#secure.renew()
    if (!this.#secured) return
    if (this.#member.now() > this.#untilMs) {
      if (this.#farewells < SERVICES.length && group.maySend) this.#say(SERVICES[this.#farewells++]!)
      return
    }
    if (!random.chance(this.#chance(this.#member.now()))) return
    for (let i = random.integer(3); i > 0 && group.maySend; i--) this.#say(random.pick(SERVICES))
  }

  #say(service: Service): void {
    this.#member.multicast("data", service, concatBytes(utf8ToBytes("data"), this.#member.random.bytes(4)))
  }
}

function named(member: MemberId): Omit<RosterMember, "publicKey"> {
  return { member, fingerprint: sha256(utf8ToBytes(member)) }
}
