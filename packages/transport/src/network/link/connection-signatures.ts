import type { Connection } from "../path/connection.ts"
import type { ConnectionInput } from "../path/connection-io.ts"
import type { ConnectionsConfig } from "./connections-config.ts"

type Answer = (connection: Connection, input: ConnectionInput) => void

/** Signs and verifies for the associations. Each connection has a lane, so its answers keep their order. */
export class ConnectionSignatures {
  readonly #config: ConnectionsConfig
  readonly #answer: Answer

  constructor(config: ConnectionsConfig, answer: Answer) {
    this.#config = config
    this.#answer = answer
  }

  sign(connection: Connection, bytes: Uint8Array): void {
    this.#run(`sign ${connection.config.link}`, async () => {
      const signature = await this.#config.mesh.signer.sign(bytes)
      this.#answer(connection, { type: "signed", signature })
    })
  }

  verify(connection: Connection, bytes: Uint8Array, signature: Uint8Array): void {
    this.#run(`verify ${connection.config.link}`, async () => {
      const ok = await this.#config.mesh.credentials.verify(connection.config.peer.publicKey, bytes, signature)
      this.#answer(connection, { type: "verified", ok })
    })
  }

  #run(lane: string, task: () => Promise<void>): void {
    if (!this.#config.lanes.run(lane, task)) this.#config.onDropped("too much at once")
  }
}
