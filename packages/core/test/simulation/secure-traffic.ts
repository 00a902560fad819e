import type { KeyAgreementName, PrimeOrderGroup } from "@keymoot/gke"
import type { MemberHandle, UpperLayer, UpperOutput } from "@keymoot/transport/testing"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { SecureGroup, type SecureGroupOutput } from "../../src/secure-group/index.ts"

/** An upper layer of the simulator that agrees a key in each view and sends once it is secured. */
export class SecureTraffic implements UpperLayer {
  readonly #member: MemberHandle
  readonly #untilMs: number
  readonly #module: KeyAgreementName
  readonly #secure: SecureGroup
  /** The latest flush request of the present view. */
  #request: Extract<UpperOutput, { type: "flushRequest" }> | null = null
  #keyed = false
  #secured = false

  constructor(member: MemberHandle, group: PrimeOrderGroup, module: KeyAgreementName, untilMs: number) {
    this.#member = member
    this.#untilMs = untilMs
    this.#module = module
    this.#secure = new SecureGroup({
      self: member.id,
      module,
      group,
      conferenceId: new Uint8Array(16),
      descriptorHash: new Uint8Array(32),
      statementsHash: new Uint8Array(32),
      invitation: new Uint8Array(32),
      fingerprintOf: (id) => sha256(utf8ToBytes(id)),
      random: (length) => member.random.bytes(length),
    })
  }

  handle(output: UpperOutput): void {
    if (output.type === "view") this.#request = null
    if (output.type === "flushRequest") this.#request = output
    for (const secured of this.#secure.step(output)) this.#take(secured)
  }

  #take(output: SecureGroupOutput): void {
    switch (output.type) {
      case "multicast": {
        // As a signature does, sending takes a moment; when the view is ending by then, it is dropped.
        const { group } = this.#member
        const { id } = group.view
        return this.#member.after(0.2, () => {
          if (group.maySend && group.view.id === id) this.#member.multicast("agreement", "fifo", output.body)
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
      case "closing":
      case "refreshDue":
    }
  }

  tick(): void {
    const { group, random } = this.#member
    if (!this.#secured || this.#member.now() > this.#untilMs || !random.chance(0.3)) return
    for (let i = random.integer(3); i > 0 && group.maySend; i--) {
      const body = concatBytes(utf8ToBytes("data"), random.bytes(4))
      this.#member.multicast("data", random.pick(["fifo", "agreed"]), body)
    }
  }
}
