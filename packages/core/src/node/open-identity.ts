import { formatEntry, TraceSink } from "@keymoot/transport"
import { type BootstrapFactory, createHost, type HostFactory, type WebRtc } from "@keymoot/transport/host"
import { nodeWebRtc } from "@keymoot/transport/node"
import { KeymootError } from "../api/index.ts"
import { EngineConnection } from "../client/connection/engine-connection.ts"
import { type Identities, openIdentitiesOn } from "../client/identities.ts"
import { type Identity, openIdentityOn } from "../client/identity.ts"
import { assertArguments, text } from "../client/options.ts"
import { loadCryptography } from "../platform/cryptography.ts"
import { Engine, type EngineOptions } from "../runtime/engine.ts"
import { assertOwnModules, type OwnModules } from "../runtime/own-modules.ts"
import type { FromEngine } from "../rpc/protocol.ts"
import { createMemoryStore } from "../identity/memory-store.ts"
import type { IdentityStore } from "../identity/store.ts"

export type OpenInNodeOptions = {
  readonly name: string
  /** Another implementation of WebRTC than the package `node-datachannel`. */
  readonly wrtc?: WebRtc
  /** Store of the identity (`createFileStore`); in memory by default. */
  readonly store?: IdentityStore
  /** Own signalling instead of Keymoot's server. */
  readonly bootstrap?: BootstrapFactory
  /** Own modules, besides the built-in ones. */
  readonly modules?: OwnModules
}

const STORE = {
  is: (value: unknown) => typeof (value as Partial<IdentityStore> | null)?.exclusively === "function",
  said: "a store, such as createFileStore(path)",
}

const MODULES = { is: (value: unknown) => typeof value === "object", said: "own modules" }

/**
 * An identity for bots and tests: the engine runs in this process. WebRTC is that of the package `node-datachannel`,
 * an optional dependency that must be installed.
 *
 * @example
 * const identity = await openIdentityInNode({ name: "Bot" })
 * const conference = await Conference.join({ url, identity })
 * @throws KeymootError as `Identity.open`; `invalid-argument` also for the names of `modules`
 */
export async function openIdentityInNode(options: OpenInNodeOptions): Promise<Identity> {
  const { name, wrtc, store, modules, ...host } = assertArguments(
    { name: text, "store?": STORE, "modules?": MODULES },
    options,
  )
  const own = { modules: modules ?? {} }
  assertOwnModules(own.modules)
  const webRtc = wrtc ?? (await loadWebRtc())
  const hostFactory: HostFactory = (onEvent) => createHost(onEvent, { ...host, wrtc: webRtc })
  return openInProcess(name, store ?? createMemoryStore(), hostFactory, own)
}

async function loadWebRtc(): Promise<WebRtc> {
  try {
    return nodeWebRtc(await import("node-datachannel"))
  } catch (cause) {
    const message = "Node has no WebRTC of its own. Install `node-datachannel`, or pass `wrtc`."
    throw new KeymootError("unsupported-browser", message, { cause })
  }
}

/**
 * Identities of a store (`createFileStore`), to be listed, created with a backup, restored, renamed, chosen and
 * removed.
 * @throws KeymootError as `Identities.open`
 */
export async function openIdentitiesInNode(options: { readonly store: IdentityStore }): Promise<Identities> {
  const { store } = assertArguments({ store: STORE }, options)
  // No conference is entered, so no connection is needed.
  return openIdentitiesOn(await connectInProcess(store, () => ({ post: () => {}, close: () => {} })))
}

type InProcessOptions = Pick<EngineOptions, "meshMax" | "traceSink"> & { readonly modules?: OwnModules | undefined }

/** Opens an identity with any host. */
export async function openInProcess(
  name: string,
  store: IdentityStore,
  hostFactory: HostFactory,
  options: InProcessOptions = {},
): Promise<Identity> {
  return openIdentityOn(await connectInProcess(store, hostFactory, options), { name })
}

async function connectInProcess(
  store: IdentityStore,
  hostFactory: HostFactory,
  { meshMax, modules, traceSink = traceToStderr() }: InProcessOptions = {},
): Promise<EngineConnection> {
  await loadCryptography()
  let toPage: ((messages: readonly FromEngine[]) => void) | null = null
  const post = (message: FromEngine): void => toPage?.([message])
  const engine = new Engine({
    ...modules,
    store,
    sink: { take: post },
    meshMax,
    traceSink,
  })
  return new EngineConnection(
    {
      post: (messages) => {
        for (const message of messages) engine.handle(message)
      },
      listen: (onMessages) => void (toPage = onMessages),
      close: () => {
        toPage = null
        void engine.close()
      },
    },
    hostFactory,
  )
}

/** The environment variable `KEYMOOT_TRACE` switches the trace on. See `TraceSink.set`. */
function traceToStderr(): TraceSink {
  const sink = new TraceSink((entry) => void process.stderr.write(`${formatEntry(entry)}\n`))
  return sink.set(process.env["KEYMOOT_TRACE"])
}
