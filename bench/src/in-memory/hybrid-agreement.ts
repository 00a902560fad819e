/** A module and the post-quantum agreement side by side, as a hybrid conference runs them: same SYNCs, separate messages. */
import { createKemAgreement, hybridEpochKey, loadKem } from "@keymoot/gke"
import type {
  Kem,
  KeyAgreement,
  KeyAgreementInput,
  KeyAgreementName,
  KeyAgreementOutput,
  KeyedView,
  MemberId,
} from "@keymoot/gke"
import type { PostQuantum } from "@keymoot/core"

/** Null where nothing post-quantum runs beside the module. */
export type Kems = readonly (Kem | null)[]

export async function kemsOf(modes: readonly PostQuantum[] = ["off"]): Promise<Kems> {
  return Promise.all(modes.map((mode) => (mode === "hybrid" ? loadKem() : null)))
}

/** The name of a module in figures: "tgdh", "tgdh hybrid". */
export function labelOf(module: KeyAgreementName, kem: Kem | null): string {
  return kem ? `${module} hybrid` : module
}

type Secret = Extract<KeyAgreementOutput, { type: "secret" }>

const CLASSICAL = 0
const POST_QUANTUM = 1
type Which = typeof CLASSICAL | typeof POST_QUANTUM
const LENGTH_BYTES = 4

export class HybridAgreement implements KeyAgreement {
  readonly #parts: readonly [KeyAgreement, KeyAgreement]
  #sid = new Uint8Array(32)
  #secrets: [Secret | null, Secret | null] = [null, null]

  constructor(classical: KeyAgreement, kem: Kem, self: MemberId) {
    this.#parts = [classical, createKemAgreement(kem, self)]
  }

  publicState(): ReturnType<KeyAgreement["publicState"]> {
    return this.#parts[CLASSICAL].publicState()
  }

  structure(): ReturnType<KeyAgreement["structure"]> {
    return this.#parts[CLASSICAL].structure()
  }

  awaiting(): readonly MemberId[] {
    return [...new Set(this.#parts.flatMap((part) => part.awaiting()))]
  }

  step(input: KeyAgreementInput): readonly KeyAgreementOutput[] {
    switch (input.type) {
      case "contribute":
        return this.#contribute(input)
      case "view":
        return this.#begin(input.view, input.random)
      case "message": {
        const which = input.bytes[0] === CLASSICAL ? CLASSICAL : POST_QUANTUM
        return this.#run(which, this.#parts[which].step({ ...input, bytes: input.bytes.subarray(1) }))
      }
      case "tick":
        return []
    }
  }

  #contribute(input: KeyAgreementInput): readonly KeyAgreementOutput[] {
    const [classical, postQuantum] = this.#parts.map((part) => {
      const [output] = part.step(input)
      if (output?.type !== "contribution")
        throw new Error("invariant: the agreement gave no contribution for a proposal")
      return output.bytes
    })
    return [{ type: "contribution", bytes: joined(classical!, postQuantum!) }]
  }

  #begin(view: KeyedView, random: Uint8Array): readonly KeyAgreementOutput[] {
    this.#sid = view.sid.slice()
    this.#secrets = [null, null]
    const attachments = [...view.attachments].map(([id, bytes]) => [id, split(bytes)] as const)
    return ([CLASSICAL, POST_QUANTUM] as const).flatMap((which) => {
      const own = new Map(attachments.map(([id, parts]) => [id, parts[which]]))
      return this.#run(which, this.#parts[which].step({ type: "view", view: { ...view, attachments: own }, random }))
    })
  }

  #run(which: Which, outputs: readonly KeyAgreementOutput[]): KeyAgreementOutput[] {
    return outputs.flatMap((output) => {
      if (output.type === "secret") return this.#combine(which, output)
      if (output.type !== "multicast" && output.type !== "unicast") return [output]
      const bytes = new Uint8Array(1 + output.bytes.length)
      bytes[0] = which
      bytes.set(output.bytes, 1)
      return [{ ...output, bytes }]
    })
  }

  #combine(which: Which, secret: Secret): KeyAgreementOutput[] {
    this.#secrets[which] = secret
    const [classical, postQuantum] = this.#secrets
    if (!classical || !postQuantum) return []
    const { transcript } = classical
    const keys = { classical: classical.secret, postQuantum: postQuantum.secret, sid: this.#sid, transcript }
    return [{ type: "secret", secret: hybridEpochKey(keys), transcript }]
  }

  erase(): void {
    for (const part of this.#parts) part.erase()
  }
}

function joined(classical: Uint8Array, postQuantum: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(LENGTH_BYTES + classical.length + postQuantum.length)
  new DataView(bytes.buffer).setUint32(0, classical.length)
  bytes.set(classical, LENGTH_BYTES)
  bytes.set(postQuantum, LENGTH_BYTES + classical.length)
  return bytes
}

function split(bytes: Uint8Array): readonly [Uint8Array, Uint8Array] {
  const end = LENGTH_BYTES + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  return [bytes.slice(LENGTH_BYTES, end), bytes.slice(end)]
}
