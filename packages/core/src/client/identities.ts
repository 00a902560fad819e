import type { IdentitiesHandle, NewIdentity, StoredIdentity } from "../api/index.ts"
import type { EngineConnection } from "./connection/engine-connection.ts"
import { openConnection } from "./identity.ts"
import { assertArguments, bytes, bytesOrText, text } from "./options.ts"
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

  async create(options: { readonly name: string; readonly passphrase?: string }): Promise<NewIdentity> {
    assertArguments({ name: text, "passphrase?": text }, options)
    return this.#connection.call("identity.create", { name: options.name, passphrase: options.passphrase ?? null })
  }

  async restore(options: { readonly backup: Uint8Array; readonly passphrase: string }): Promise<StoredIdentity> {
    assertArguments({ backup: bytes, passphrase: text }, options)
    return this.#connection.call("identity.restore", { backup: options.backup, passphrase: options.passphrase })
  }

  async rename(id: string, name: string): Promise<void> {
    assertArguments({ id: text, name: text }, { id, name })
    await this.#connection.call("identity.rename", { id, name })
  }

  async choose(id: string): Promise<void> {
    assertArguments({ id: text }, { id })
    await this.#connection.call("identity.choose", { id })
  }

  async certificateRequest(id: string): Promise<string> {
    assertArguments({ id: text }, { id })
    return this.#connection.call("identity.certificateRequest", { id })
  }

  async certify(
    id: string,
    options: { readonly certificate: Uint8Array | string; readonly authority: Uint8Array | string },
  ): Promise<StoredIdentity> {
    assertArguments({ id: text }, { id })
    const issued = { certificate: bytesOrText, authority: bytesOrText }
    const { certificate, authority } = assertArguments(issued, options)
    return this.#connection.call("identity.certify", { id, certificate, authority })
  }

  async remove(id: string): Promise<void> {
    assertArguments({ id: text }, { id })
    await this.#connection.call("identity.remove", { id })
  }

  close(): void {
    this.#connection.close()
  }
}
