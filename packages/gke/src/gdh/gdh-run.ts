import { Outbox } from "../clusters/outbox.ts"
import type { ViewRun } from "../clusters/view-agreement.ts"
import type { KeyAgreementOutput } from "../agreement/key-agreement.ts"
import type { MemberId } from "../shared/member-id.ts"
import { seatingOf } from "../seniority/seating.ts"
import { Agreement, type GdhRunInput, type Part } from "./agreement.ts"
import { Merge } from "./merge.ts"
import { factorOut, type GdhEpoch } from "./partial-keys.ts"
import { planOf } from "./plan.ts"
import { Refresh } from "./refresh.ts"

/** One view under GDH. */
export class GdhRun implements ViewRun<GdhEpoch> {
  readonly #input: GdhRunInput
  readonly #outbox = new Outbox()
  /** null: the attachments lead to none. */
  readonly #agreement: Agreement | null
  /** null for a member alone, too. */
  readonly #part: Part | null

  constructor(input: GdhRunInput) {
    const { codecs, view, base } = input
    this.#input = input
    const seating = seatingOf(codecs.attachments, view, base, this.#outbox)
    const plan = seating && planOf(seating.order, base?.seats.length ?? 0, view.proposal.epoch)
    this.#agreement = plan && new Agreement(input, plan, this.#outbox)
    this.#part = this.#agreement && partOf(this.#agreement)
  }

  get completed(): GdhEpoch | null {
    return this.#agreement?.completed ?? null
  }

  set completed(epoch: null) {
    if (this.#agreement) this.#agreement.completed = epoch
  }

  awaiting(): readonly MemberId[] {
    return this.#agreement?.isOver ? [] : (this.#part?.awaiting() ?? [])
  }

  abandon(): void {
    if (this.#agreement?.isOver) return
    this.#agreement?.becomeFailed()
    this.#input.share.fill(0)
    this.#part?.erase()
  }

  start(): readonly KeyAgreementOutput[] {
    if (!this.#agreement) this.#input.share.fill(0)
    else if (this.#part) this.#part.start()
    else completeAlone(this.#agreement)
    return this.#outbox.flush()
  }

  receive(from: MemberId, via: "unicast" | "multicast", bytes: Uint8Array): readonly KeyAgreementOutput[] {
    if (this.#agreement && !this.#agreement.hasFailed) {
      const message = this.#input.codecs.messages.decode(bytes)
      if (!message) this.#outbox.fault(from, "malformed-message")
      else {
        const isUnicast = message.kind === "token" || message.kind === "factored"
        const isOfItsKind = isUnicast === (via === "unicast") && !this.#agreement.isOver
        if (!isOfItsKind || !this.#part?.step(from, message, bytes)) this.#outbox.fault(from, "unexpected-message")
      }
      if (this.#agreement.hasFailed) this.#part?.erase()
    }
    return this.#outbox.flush()
  }
}

function partOf(agreement: Agreement): Part | null {
  const { plan } = agreement
  if (plan.kind === "alone") return null
  return plan.kind === "refresh" ? new Refresh(agreement) : new Merge(agreement, plan.chain)
}

function completeAlone(agreement: Agreement): void {
  const { input, share } = agreement
  const key = input.group.multiplyBase(share)
  agreement.complete({ partials: new Map([[input.view.self, factorOut(input.group, key, share)]]), key })
}
