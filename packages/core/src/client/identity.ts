import type { MemberId } from "@keymoot/transport"
import type { IdentityHandle } from "../api.ts"
import type { IdentityInfo } from "../engine/protocol.ts"
import { EngineConnection } from "./engine-connection.ts"
import { startWorkerThread } from "./worker-thread.ts"

/** How the classes of this folder reach the engine behind an identity; no part of the public interface. */
export const connectionOf = new WeakMap<IdentityHandle, EngineConnection>()

/**
 * This participant, with the engine that holds its key. The key is made on this device, and never leaves it.
 *
 * @example
 * const identity = await Identity.open({ name: "Ada" })
 * const conference = await Conference.create({ server: location.origin, identity })
 */
export class Identity implements IdentityHandle {
  readonly name: string
  readonly member: MemberId
  readonly fingerprint: string
  readonly #connection: EngineConnection

  private constructor(connection: EngineConnection, { name, member, fingerprint }: IdentityInfo) {
    this.#connection = connection
    this.name = name
    this.member = member
    this.fingerprint = fingerprint
    connectionOf.set(this, connection)
  }

  /**
   * Loads this device's identity, or makes one. Another name makes another certificate on the same key.
   * @param options.name 1 to 60 characters. `connection`: an engine other than a worker of this page (see the Node entry).
   * @throws KeymootError `invalid-argument` (the name), `storage-unavailable`, `unsupported-browser`
   */
  static async open(options: { readonly name: string; readonly connection?: EngineConnection }): Promise<Identity> {
    const connection = options.connection ?? openConnection()
    try {
      return new Identity(connection, await connection.call("identity.open", { name: options.name }))
    } catch (error) {
      connection.close()
      throw error
    }
  }

  /** The name of the identity kept on this device, or null. */
  static async stored(): Promise<string | null> {
    const connection = openConnection()
    try {
      return await connection.call("identity.stored", {})
    } finally {
      connection.close()
    }
  }

  async close(): Promise<void> {
    this.#connection.close()
  }
}

function openConnection(): EngineConnection {
  const connection = new EngineConnection(startWorkerThread())
  // The others should not have to wait for a time-out to see that this page is gone.
  globalThis.addEventListener?.("pagehide", () => connection.drop())
  return connection
}
