import type { MemberId } from "@keymoot/transport"
import { type BootstrapFactory, createHost, WarmConnections } from "@keymoot/transport/host"
import type { IdentityHandle, Person } from "../api.ts"
import type { IdentityInfo } from "../engine/protocol.ts"
import { EngineConnection } from "./engine-connection.ts"
import { SpareEngine } from "./spare-engine.ts"
import { startWorkerThread } from "./worker-thread.ts"

/** Of this page, whichever of its engines asks. */
const warm = new WarmConnections()
const spare = new SpareEngine(() => openConnection())

/** How the classes of this folder reach the engine behind an identity; no part of the public interface. */
export const connectionOf = new WeakMap<IdentityHandle, EngineConnection>()

/**
 * An identity whose engine is not a worker of this page; for the package's other entries. Of this kind because the constructor
 * is nobody else's business.
 */
export let openIdentityOn: (
  connection: EngineConnection,
  options: { readonly name: string; readonly id?: string },
) => Promise<Identity>

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
  readonly card: string
  readonly #connection: EngineConnection

  private constructor(connection: EngineConnection, { name, member, fingerprint, card }: IdentityInfo) {
    this.#connection = connection
    this.name = name
    this.member = member
    this.fingerprint = fingerprint
    this.card = card
    connectionOf.set(this, connection)
  }

  static {
    openIdentityOn = async (connection, { name, id }) => {
      try {
        return new Identity(connection, await connection.call("identity.open", { name, id: id ?? null }))
      } catch (error) {
        connection.close()
        throw error
      }
    }
  }

  /**
   * Loads this device's chosen identity, or makes one. Another name makes another certificate on the same key.
   * @param options.name 1 to 60 characters. `id`: another one than the chosen (see `Identities`). `bootstrap`: signalling of
   * your own, in place of Keymoot's server.
   * @throws KeymootError `invalid-argument` (the name), `storage-unavailable`, `unsupported-browser`
   */
  static async open(options: {
    readonly name: string
    readonly id?: string
    readonly bootstrap?: BootstrapFactory
  }): Promise<Identity> {
    return openIdentityOn(options.bootstrap ? openConnection(options.bootstrap) : spare.take(), options)
  }

  /** Reads somebody's card (`card`), and needs no identity for that. @throws KeymootError `invalid-card` */
  static async readCard(text: string): Promise<Person> {
    return askAside((connection) => connection.call("card.read", { text }))
  }

  /** The name of the identity chosen on this device, or null. */
  static async stored(): Promise<string | null> {
    return askAside((connection) => connection.call("identity.stored", {}))
  }

  async close(): Promise<void> {
    this.#connection.close()
  }
}

/** What needs no identity, of an engine that has none. */
export function askAside<T>(question: (connection: EngineConnection) => Promise<T>): Promise<T> {
  return spare.ask(question)
}

export function openConnection(bootstrap?: BootstrapFactory, thread = startWorkerThread()): EngineConnection {
  const open = new AbortController()
  const close = (): void => {
    open.abort()
    thread.close()
  }
  const connection = new EngineConnection({ ...thread, close }, (onEvent, movedChannels) =>
    createHost(onEvent, { movedChannels, ...(bootstrap ? { bootstrap } : { warm }) }),
  )
  // The others should not have to wait for a time-out to see that this page is gone.
  globalThis.addEventListener?.("pagehide", () => connection.drop(), { signal: open.signal })
  return connection
}
