/** A conference in memory, with every step of every member looked at from outside. */
import { createKeyAgreement } from "@keymoot/gke"
import type {
  Kem,
  KeyAgreementInput,
  KeyAgreementName,
  KeyAgreementOutput,
  MemberId,
  PrimeOrderGroup,
} from "@keymoot/gke"
import { Harness, type View } from "@keymoot/gke/testing"
import { HybridAgreement } from "./hybrid-agreement.ts"

/**
 * Group operations; an exponentiation of the papers is a multiplication here, of the generator or of another element.
 * `kemOperations`: key pairs, encapsulations and decapsulations.
 */
export type Work = { readonly exponentiations: number; readonly additions: number; readonly kemOperations: number }

export type Step = Work & {
  readonly member: MemberId
  readonly input: KeyAgreementInput
  readonly outputs: readonly KeyAgreementOutput[]
  readonly milliseconds: number
}

export class Conference {
  readonly harness: Harness
  /** Sees each step right after it, before its outputs go anywhere. */
  onStep: (step: Step) => void = () => {}
  readonly #tally = { exponentiations: 0, additions: 0, kemOperations: 0 }
  #started = 0

  /** `kem`: of a hybrid conference. */
  constructor(module: KeyAgreementName, group: PrimeOrderGroup, kem: Kem | null = null) {
    const counted = countedIn(this.#tally, group)
    const countedKem = kem && countedKemIn(this.#tally, kem)
    const create = (self: MemberId) => {
      const classical = createKeyAgreement(module, { group: counted, self })
      return countedKem ? new HybridAgreement(classical, countedKem, self) : classical
    }
    this.harness = new Harness(counted, { create })
  }

  /** So many members more, not yet in a view. Their ids sort in the order in which they started. */
  start(count: number): MemberId[] {
    return Array.from({ length: count }, () => {
      const id = this.harness.start(`m${(this.#started++).toString().padStart(6, "0")}`)
      const { agreement } = this.harness.member(id)
      const step = agreement.step.bind(agreement)
      agreement.step = (input) => this.#observed(id, input, () => step(input))
      return id
    })
  }

  /** A view change of which nothing is kept but its key. */
  change(members: readonly MemberId[]): View {
    const { view } = this.harness.change(members)
    this.assertOneKey(members)
    return view
  }

  /** @throws Error if a member has no key, or another one, or somebody was found at fault */
  assertOneKey(members: readonly MemberId[]): void {
    const secrets = new Set(members.map((id) => this.harness.member(id).secret?.secret))
    if (this.harness.faults.length > 0 || secrets.size !== 1 || secrets.has(undefined)) {
      throw new Error("the members have not come to one key")
    }
  }

  #observed(member: MemberId, input: KeyAgreementInput, step: () => readonly KeyAgreementOutput[]) {
    this.#tally.exponentiations = this.#tally.additions = this.#tally.kemOperations = 0
    const start = performance.now()
    const outputs = step()
    const milliseconds = performance.now() - start
    this.onStep({ member, input, outputs, milliseconds, ...this.#tally })
    return outputs
  }
}

function countedIn(tally: { exponentiations: number; additions: number }, group: PrimeOrderGroup): PrimeOrderGroup {
  return {
    ...group,
    multiply(e, s) {
      tally.exponentiations++
      return group.multiply(e, s)
    },
    multiplyEncoded(e, s) {
      tally.exponentiations++
      return group.multiplyEncoded(e, s)
    },
    multiplyBase(s) {
      tally.exponentiations++
      return group.multiplyBase(s)
    },
    add(a, b) {
      tally.additions++
      return group.add(a, b)
    },
    addEncoded(a, b) {
      tally.additions++
      return group.addEncoded(a, b)
    },
    subtract(a, b) {
      tally.additions++
      return group.subtract(a, b)
    },
  }
}

function countedKemIn(tally: { kemOperations: number }, kem: Kem): Kem {
  return {
    ...kem,
    keyPair(seed) {
      tally.kemOperations++
      return kem.keyPair(seed)
    },
    encapsulate(publicKey, random) {
      tally.kemOperations++
      return kem.encapsulate(publicKey, random)
    },
    decapsulate(secretKey, ciphertext) {
      tally.kemOperations++
      return kem.decapsulate(secretKey, ciphertext)
    },
  }
}
