/** Code of the pages of `peers`, bundled when the experiment starts. */
import type { Connect, Connection } from "./contestant.ts"
import { rawChannel, simplePeer } from "./data-channels.ts"
import { keymootDocument, yWebrtc } from "./documents.ts"
import { keymootAgreed, keymootFifo } from "./keymoot.ts"
import { Measured } from "./measure.ts"
import { openRelay } from "./relay.ts"
import { trystero } from "./trystero.ts"

const CONTESTANTS = {
  rawChannel,
  simplePeer,
  trystero,
  keymootFifo,
  keymootAgreed,
  yWebrtc,
  keymootDocument,
} as const satisfies Record<string, Connect>

export type ContestantName = keyof typeof CONTESTANTS

/** A function cannot be told to a page. */
type Told = Omit<Connection, "openRelay">

declare global {
  interface Window {
    contest: {
      /** Resolves with what the second one needs to know, as soon as it may begin. */
      readonly begin: (name: ContestantName, connection: Told) => Promise<string>
      readonly connected: () => Promise<Measured>
    }
  }
}

let connected: Promise<Measured> | undefined

window.contest = {
  begin: (name, connection) => {
    const told = Promise.withResolvers<string>()
    const connecting = CONTESTANTS[name]({ ...connection, openRelay: () => openRelay(connection.relay) }, told.resolve)
    connected = connecting.then((end) => new Measured(end))
    connected.catch(told.reject)
    // Only Keymoot's have something to tell.
    if (!name.startsWith("keymoot")) told.resolve("")
    return told.promise
  },
  connected: () => connected!,
}
