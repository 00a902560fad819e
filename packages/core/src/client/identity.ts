import type { MemberId } from "@keymoot/transport"
import { type BootstrapFactory, createHost, WarmConnections } from "@keymoot/transport/host"
import { type CardHolder, type IdentityHandle, KeymootError } from "../api/index.ts"
import type { IdentityInfo } from "../rpc/protocol.ts"
import { EngineConnection } from "./connection/engine-connection.ts"
import { assertArguments, METHODS } from "./options.ts"
import { SpareEngine } from "./spare-engine.ts"
import { startWorkerThread } from "./worker-thread.ts"

/** Warm connections of this page, shared by its engines. */
const warm = new WarmConnections()
const spare = new SpareEngine(() => openConnection())

/** Internal: the engine behind each identity, for the classes of this folder. */
export const connectionOf = new WeakMap<IdentityHandle, EngineConnection>()

/**
 * Opens an identity whose engine is not a worker of this page, for the package's other entries. A variable, because the
 * constructor is private.
 */
export let openIdentityOn: (
  connection: EngineConnection,
  options: { readonly name: string; readonly id?: string },
) => Promise<Identity>

/**
 * This participant, with the engine that holds its key. The key is generated on this device and never leaves it.
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
   * Opens this device's chosen identity, or creates one. Another name gets another certificate of the same key,
   * a former name its former one.
   * @param options.name 1 to 60 characters. `id`: an identity other than the chosen one (see `Identities`).
   * `bootstrap`: own signalling instead of Keymoot's server. `createWorker`: makes a worker that calls `startEngine` of
   * `@keymoot/core/engine`.
   * @throws KeymootError `invalid-argument` (the name), `storage-unavailable`, `unsupported-browser`,
   * `server-unreachable` (the engine's worker did not load, or did not start within 60 seconds)
   */
  static async open(options: {
    readonly name: string
    readonly id?: string
    readonly bootstrap?: BootstrapFactory
    readonly createWorker?: () => Worker
  }): Promise<Identity> {
    assertArguments(METHODS.openIdentity, options)
    const { bootstrap, createWorker } = options
    if (!bootstrap && !createWorker) return openIdentityOn(spare.take(), options)
    return openIdentityOn(openConnection(bootstrap, startWorkerThread(createWorker)), options)
  }

  /** Reads a person's card (`card`). It needs no identity. @throws KeymootError `invalid-card` */
  static async readCard(text: string): Promise<CardHolder> {
    return askAside((connection) => connection.call("card.read", { text }))
  }

  /** Returns the name of this device's chosen identity, or null. */
  static async stored(): Promise<string | null> {
    return askAside((connection) => connection.call("identity.stored", {}))
  }

  /**
   * Returns the name and the identity with which this device entered a conference: the chosen identity if it has
   * entered, otherwise the last one. Pass both to `open`, so that nobody is met under a name of another conference.
   * Null if all have left it, or the device has lost them.
   */
  static async enteredAs(conference: string): Promise<{ readonly name: string; readonly id: string } | null> {
    const as = await askAside((connection) => connection.call("identity.enteredAs", { conference }))
    return as && { name: as.name, id: as.identity }
  }

  async close(): Promise<void> {
    this.#connection.close()
  }
}

/** Asks a question that needs no identity of an engine that has none. */
export function askAside<T>(question: (connection: EngineConnection) => Promise<T>): Promise<T> {
  return spare.ask(question)
}

/** `isOnline`: false for an engine that enters no conference. It survives the back-forward cache. */
export function openConnection(
  bootstrap?: BootstrapFactory,
  thread = startWorkerThread(),
  isOnline = true,
): EngineConnection {
  const open = new AbortController()
  const close = (): void => {
    open.abort()
    thread.close()
  }
  const connection = new EngineConnection({ ...thread, close }, (onEvent, movedChannels) =>
    createHost(onEvent, { movedChannels, ...(bootstrap ? { bootstrap } : { warm }) }),
  )
  connection.setTrace(traceSetting())
  if (!isOnline) return connection
  // Otherwise the other members notice only after a timeout that this page is gone.
  globalThis.addEventListener?.("pagehide", () => connection.drop(), { signal: open.signal })
  // A page from the back-forward cache has no connections, and would take itself for alone.
  const cutOff = new KeymootError("closed", "This page was left and has lost its connections. Open an identity again.")
  const returned = ({ persisted }: PageTransitionEvent): void => void (persisted && connection.close(cutOff))
  globalThis.addEventListener?.("pageshow", returned, { signal: open.signal })
  return connection
}

/** Entry of `localStorage` that switches the trace on: `debug`, `info` or `warn`, see `TraceSink.set`. */
const STORAGE_KEY = "keymoot.trace"

/** Null in a page without storage. */
export function traceSetting(): string | null {
  try {
    return globalThis.localStorage?.getItem(STORAGE_KEY) ?? null
  } catch {
    return null
  }
}
