/** Statements of majority on their way to the roster: signed one after another, in the order of the agreement. */
import { majoritySigningInput } from "@keymoot/gke"
import type { GroupInput, GroupOutput, MemberId, Signer, Sink } from "@keymoot/transport"
import type { Faults } from "../platform/surroundings.ts"
import { SerialQueue } from "../queues/serial-queue.ts"
import { encodeRosterBody } from "../secure-group/agreement-body.ts"
import type { SecureGroupOutput } from "../secure-group/secure-group.ts"

/**
 * Bound on statements that wait for a signature. Further ones are dropped. After the last signature the agreement sends
 * their addressees again all that still matters, as after a loss on the way.
 */
export const UNSIGNED_STATEMENTS_MAX = 8192

type Statement = SecureGroupOutput & { readonly type: "statement" }

/** `roster` is for the group, the others are for the secure group. */
export type StatementOutput =
  | Extract<GroupInput, { readonly type: "roster" }>
  | Extract<GroupOutput, { readonly type: "rosterMessage" | "rosterLost" }>

export class StatementQueue {
  readonly #signer: Signer
  readonly #sink: Sink<StatementOutput>
  readonly #queue: SerialQueue
  /** Addressees of dropped statements. */
  readonly #missing = new Set<MemberId>()

  constructor(signer: Signer, faults: Faults, sink: Sink<StatementOutput>) {
    this.#signer = signer
    this.#sink = sink
    this.#queue = new SerialQueue(faults.fail)
  }

  /** Statements that wait or are being signed. */
  get length(): number {
    return this.#queue.length
  }

  add(statement: Statement): void {
    if (this.#queue.length < UNSIGNED_STATEMENTS_MAX)
      this.#queue.add(() => this.#send(statement).finally(() => this.#repeatMissing()))
    else for (const peer of statement.to) this.#missing.add(peer)
  }

  /** Members of a roster sign each statement separately, because other members forward it, outside of views too. */
  async #send({ via, to, statement }: Statement): Promise<void> {
    const signature = await this.#signer.sign(majoritySigningInput(statement))
    const body = encodeRosterBody({ via, statement, signature })
    for (const peer of to) this.#sink.take({ type: "roster", to: peer, body })
    if (via === "multicast") this.#sink.take({ type: "rosterMessage", from: this.#signer.member, body })
  }

  #repeatMissing(): void {
    if (this.#queue.length > 1) return
    const missing = [...this.#missing]
    this.#missing.clear()
    for (const peer of missing) this.#sink.take({ type: "rosterLost", peer })
  }
}
