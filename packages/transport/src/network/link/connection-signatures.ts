import type { Connection } from "../path/connection.ts"
import type { ConnectionInput } from "../path/connection-io.ts"
import type { MeshBase } from "../base/mesh-base.ts"

type Answer = (connection: Connection, input: ConnectionInput) => void

/** Signs and verifies for the associations. Each connection has a lane, so its answers keep their order. */
export class ConnectionSignatures {
  readonly #base: MeshBase
  readonly #answer: Answer

  constructor(base: MeshBase, answer: Answer) {
    this.#base = base
    this.#answer = answer
  }

  sign(connection: Connection, bytes: Uint8Array): void {
    this.#base.lanes.run(`sign ${connection.config.id}`, async () => {
      const signature = await this.#base.mesh.signer.sign(bytes)
      this.#answer(connection, { type: "signed", signature })
    })
  }

  verify(connection: Connection, bytes: Uint8Array, signature: Uint8Array): void {
    this.#base.lanes.run(`verify ${connection.config.id}`, async () => {
      const ok = await this.#base.mesh.credentials.verify(connection.config.peer.publicKey, bytes, signature)
      this.#answer(connection, { type: "verified", ok })
    })
  }
}
