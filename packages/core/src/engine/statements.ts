/** What members of a roster say to one another outside of views, each statement signed for itself, since others hand it on. */
import { majoritySigningInput } from "@keymoot/gke"
import type { MemberId, Signer } from "@keymoot/transport"
import { encodeRosterBody, type SecureGroupOutput } from "../secure-group/index.ts"
import { SerialQueue } from "./serial-queue.ts"

export type StatementsConfig = {
  readonly signer: Signer
  readonly send: (to: MemberId, body: Uint8Array) => void
  /** A copy to all is one to oneself. */
  readonly loopBack: (body: Uint8Array) => void
  readonly fail: (error: unknown) => void
}

export class Statements {
  readonly #config: StatementsConfig
  readonly #queue: SerialQueue

  constructor(config: StatementsConfig) {
    this.#config = config
    this.#queue = new SerialQueue(config.fail)
  }

  say({ via, to, statement }: SecureGroupOutput & { type: "statement" }): void {
    const { signer, send, loopBack } = this.#config
    this.#queue.add(async () => {
      const signature = await signer.sign(majoritySigningInput(statement))
      const body = encodeRosterBody({ via, statement, signature })
      for (const peer of to) send(peer, body)
      if (via === "multicast") loopBack(body)
    })
  }
}
