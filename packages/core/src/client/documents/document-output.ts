import type { MemberId } from "@keymoot/transport"
import { KeymootError, type SecurityEvent } from "../../api/index.ts"
import { documentChannel, type MessageKind } from "../../multicast/message-kind.ts"
import type { EngineConnection } from "../connection/engine-connection.ts"
import type { Outcome } from "../connection/piece-sender.ts"
import type { PresentState } from "../connection/present-state.ts"

export type DocumentOutputConfig = {
  readonly name: string
  readonly conference: string
  readonly connection: EngineConnection
  readonly present: Pick<PresentState, "onEvent">
}

/** Messages of one document to the other members, and reports about them to the application. */
export class DocumentOutput {
  readonly #config: DocumentOutputConfig

  constructor(config: DocumentOutputConfig) {
    this.#config = config
  }

  /** A send that fails because the conference is over needs no report. */
  async send(kind: MessageKind, payload: Uint8Array): Promise<Outcome> {
    const { name, conference, connection } = this.#config
    const params = { id: conference, channel: documentChannel(name), kind, payload, service: "fifo" } as const
    try {
      await connection.call("conference.send", params)
      return "sent"
    } catch (error) {
      const code = error instanceof KeymootError ? error.code : null
      if (code === "not-permitted") return code
      return code === "queue-full" ? "full" : "over"
    }
  }

  report(code: SecurityEvent["code"], member: MemberId, detail: string): void {
    const { name, present } = this.#config
    const event = { code, member, detail: `${detail} (document "${name}")` }
    present.onEvent({ type: "security", event })
  }
}
