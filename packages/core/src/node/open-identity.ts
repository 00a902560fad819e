import { loadSodiumGroup } from "@keymoot/gke"
import { createHost, type HostFactory, type WebRtc } from "@keymoot/transport/host"
import { EngineConnection } from "../client/engine-connection.ts"
import { Identity } from "../client/identity.ts"
import { Engine } from "../engine/engine.ts"
import type { FromEngine } from "../engine/protocol.ts"
import { createMemoryStore, type IdentityStore } from "../identity/index.ts"

export type OpenInNodeOptions = {
  readonly name: string
  /** An implementation of WebRTC, such as the default export of `@roamhq/wrtc`. */
  readonly wrtc: WebRtc
  /** Where the identity is kept (`createFileStore`); nowhere unless given. */
  readonly store?: IdentityStore
}

/**
 * An identity for bots and tests: the engine runs in this process.
 *
 * @example
 * const identity = await openIdentityInNode({ name: "Bot", wrtc })
 * const conference = await Conference.join({ url, identity })
 * @throws KeymootError as `Identity.open`
 */
export function openIdentityInNode({ name, wrtc, store = createMemoryStore() }: OpenInNodeOptions): Promise<Identity> {
  return openInProcess(name, store, (onEvent) => createHost(onEvent, { wrtc }))
}

/** With any host. */
export async function openInProcess(name: string, store: IdentityStore, hostFactory: HostFactory): Promise<Identity> {
  const primeGroup = await loadSodiumGroup()
  let toPage: ((messages: readonly FromEngine[]) => void) | null = null
  const engine = new Engine({ store, primeGroup, iceServers: [], post: (message) => toPage?.([message]) })
  const connection = new EngineConnection(
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
  return Identity.open({ name, connection })
}
