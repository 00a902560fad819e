import type { IdentitiesHandle, NewIdentity, StoredIdentity } from "../api/index.ts"
import type { EngineConnection } from "./connection/engine-connection.ts"
import { openConnection } from "./identity.ts"
import { startWorkerThread } from "./worker-thread.ts"

/** As `openIdentityOn`. */
export let openIdentitiesOn: (connection: EngineConnection) => Identities

/**
 * Identities that this device keeps.
 *
 * @example
 * const identities = await Identities.open()
 * const { backup } = await identities.create({ name: "Ada", passphrase })
 * // … on another device, with the file:
 * await identities.restore({ backup, passphrase })
 * identities.close()
 */
export class Identities implements IdentitiesHandle {
  readonly #connection: EngineConnection

  private constructor(connection: EngineConnection) {
    this.#connection = connection
  }

  static {
    openIdentitiesOn = (connection) => new Identities(connection)
  }

  static async open(): Promise<Identities> {
    return openIdentitiesOn(openConnection(undefined, startWorkerThread(), false))
  }

  list(): Promise<readonly StoredIdentity[]> {
    return this.#connection.call("identity.list", {})
  }

  create(options: { readonly name: string; readonly passphrase?: string }): Promise<NewIdentity> {
    return this.#connection.call("identity.create", { name: options.name, passphrase: options.passphrase ?? null })
  }

  restore(options: { readonly backup: Uint8Array; readonly passphrase: string }): Promise<StoredIdentity> {
    return this.#connection.call("identity.restore", { backup: options.backup, passphrase: options.passphrase })
  }

  async rename(id: string, name: string): Promise<void> {
    await this.#connection.call("identity.rename", { id, name })
  }

  async choose(id: string): Promise<void> {
    await this.#connection.call("identity.choose", { id })
  }

  certificateRequest(id: string): Promise<string> {
    return this.#connection.call("identity.certificateRequest", { id })
  }

  certify(
    id: string,
    { certificate, authority }: { readonly certificate: Uint8Array | string; readonly authority: Uint8Array | string },
  ): Promise<StoredIdentity> {
    return this.#connection.call("identity.certify", { id, certificate, authority })
  }

  async remove(id: string): Promise<void> {
    await this.#connection.call("identity.remove", { id })
  }

  close(): void {
    this.#connection.close()
  }
}
