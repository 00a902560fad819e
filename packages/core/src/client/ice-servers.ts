/** ICE servers for the connections of a call. */
import type { EngineCalls } from "../rpc/protocol.ts"
import type { EngineConnection } from "./connection/engine-connection.ts"

/** An answer counts for so long. A connection that fails is tried again later than that. */
export const FRESH_MS = 1000

type Answer = Promise<EngineCalls["media.configuration"]["result"]>

/** Asked for as soon as a path is in doubt, so that another connection need not wait for a busy engine. */
export class IceServers {
  readonly #connection: Pick<EngineConnection, "call">
  readonly #id: string
  #last: { readonly askedAtMs: number; readonly answer: Answer } | null = null

  constructor(connection: Pick<EngineConnection, "call">, id: string) {
    this.#connection = connection
    this.#id = id
  }

  ask(): Answer {
    const nowMs = performance.now()
    if (this.#last && nowMs - this.#last.askedAtMs < FRESH_MS) return this.#last.answer
    const answer = this.#connection.call("media.configuration", { id: this.#id })
    // A connection that uses the answer fails with it.
    answer.catch(() => undefined)
    this.#last = { askedAtMs: nowMs, answer }
    return answer
  }
}
