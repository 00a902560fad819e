import { type BootstrapFactory, createHost, type HostFactory, type WebRtc } from "@keymoot/transport/host"
import { EngineConnection } from "../client/engine-connection.ts"
import { type Identities, openIdentitiesOn } from "../client/identities.ts"
import { type Identity, openIdentityOn } from "../client/identity.ts"
import { loadCryptography } from "../engine/cryptography.ts"
import { Engine } from "../engine/engine.ts"
import type { FromEngine } from "../engine/protocol.ts"
import { createMemoryStore, type IdentityStore } from "../identity/index.ts"

export type OpenInNodeOptions = {
  readonly name: string
  /** An implementation of WebRTC, such as the default export of `@roamhq/wrtc`. */
  readonly wrtc: WebRtc
  /** Where the identity is kept (`createFileStore`); nowhere unless given. */
  readonly store?: IdentityStore
  /** Signalling of your own, in place of Keymoot's server. */
  readonly bootstrap?: BootstrapFactory
}

/**
 * An identity for bots and tests: the engine runs in this process.
 *
 * @example
 * const identity = await openIdentityInNode({ name: "Bot", wrtc })
 * const conference = await Conference.join({ url, identity })
 * @throws KeymootError as `Identity.open`
 */
export function openIdentityInNode({
  name,
  store = createMemoryStore(),
  ...hostOptions
}: OpenInNodeOptions): Promise<Identity> {
  return openInProcess(name, store, (onEvent) => createHost(onEvent, hostOptions))
}

/**
 * The identities in a store (`createFileStore`), to be listed, made with a backup, restored, renamed, chosen and removed.
 * @throws KeymootError as `Identities.open`
 */
export async function openIdentitiesInNode({ store }: { readonly store: IdentityStore }): Promise<Identities> {
  // No conference is entered, so no connection is made.
  return openIdentitiesOn(await connectInProcess(store, () => ({ post: () => {}, close: () => {} })))
}

/** With any host. `meshMax`: as in `EngineOptions`. */
export async function openInProcess(
  name: string,
  store: IdentityStore,
  hostFactory: HostFactory,
  meshMax?: number,
): Promise<Identity> {
  return openIdentityOn(await connectInProcess(store, hostFactory, meshMax), { name })
}

async function connectInProcess(
  store: IdentityStore,
  hostFactory: HostFactory,
  meshMax?: number,
): Promise<EngineConnection> {
  const cryptography = await loadCryptography()
  let toPage: ((messages: readonly FromEngine[]) => void) | null = null
  const engine = new Engine({ store, cryptography, iceServers: [], post: (message) => toPage?.([message]), meshMax })
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
