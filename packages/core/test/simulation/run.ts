import {
  assertHolds,
  judge,
  play,
  randomScenario,
  type Cast,
  type TraceEvent,
  type Violation,
} from "@keymoot/transport/testing"
import type { KeyAgreementName, PostQuantum } from "../../src/api/index.ts"
import type { Cryptography } from "./cryptography.ts"
import { SecureTraffic } from "./secure-traffic.ts"

export type SecureRun = {
  readonly trace: readonly TraceEvent[]
  /** Throws if a property does not hold. `more`: violations besides those of the oracle. */
  readonly assertHolds: (more?: readonly Violation[]) => void
}

/** `module`: that by which those who are left are to come by a key. */
export type SecureCast = Cast & { readonly module?: KeyAgreementName }

/** Key agreement on top of everybody's group. */
export function withKeyAgreement(
  module: KeyAgreementName,
  cryptography: Cryptography,
  postQuantum: PostQuantum = "off",
): SecureCast {
  const upper: Cast["upper"] = (member, untilMs, chance) =>
    new SecureTraffic(member, cryptography, module, untilMs, chance, undefined, postQuantum)
  const cast = { ...signedBy(cryptography), upper, module }
  return module === "majority" ? { ...cast, roster: true } : cast
}

/** Every third run is of a hybrid conference. */
export function postQuantumOf(seed: number): PostQuantum {
  return seed % 3 === 0 ? "hybrid" : "off"
}

export function signedBy({ frameSigner }: Cryptography): Cast {
  return frameSigner ? { signer: frameSigner } : {}
}

/** Time enough for a key between some of the faults. */
export const MS_PER_FAULT = 250

/** A conference with key agreement under random faults, from one seed. */
export function runSecure(
  seed: number,
  members: number,
  cryptography: Cryptography,
  module: KeyAgreementName,
): SecureRun {
  const scenario = randomScenario(seed, members, 8, MS_PER_FAULT)
  const postQuantum = postQuantumOf(seed)
  const cast = withKeyAgreement(module, cryptography, postQuantum)
  const trace = play(scenario, cast)
  const context = `seed ${seed}, ${members} members, ${module}, post-quantum ${postQuantum}`
  return { trace, assertHolds: (more = []) => assertHolds([...judge(trace), ...more], scenario, cast, context) }
}
