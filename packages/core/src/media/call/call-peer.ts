/** State that a call keeps about each other member in it. */
import type { MediaMember } from "../keys/index.ts"
import type { MediaSignal } from "../signals/index.ts"
import type { MediaConnection } from "./media-connection.ts"
import { NO_RECEPTION, type Reception, type ReceptionCounts } from "./reception.ts"

/** An attempt without a path in this time is given up. The next ones take twice the time each, up to the maximum. */
export const CONNECT_MS = 10_000

export type CallPeer = MediaMember & {
  /** Session of its entry into the call. */
  readonly session: number
  /** It has announced a microphone. */
  readonly hasVoice: boolean
  /** Tracks that it shows. Null: all of them, and nothing large. */
  readonly wanted: Wanted | null
}

export type Wanted = Omit<MediaSignal & { kind: "wanted" }, "kind">

export type Peer = {
  peer: CallPeer
  attempt: number
  connection: MediaConnection | null
  /** Carries media until `connection`, which replaces it, is connected. */
  former: MediaConnection | null
  /** When the link left its direct path the last time. */
  linkLostAtMs: number
  timer: ReturnType<typeof setTimeout> | undefined
  connectMs: number
  loudAtMs: number
  /** The last attempt found no path. */
  failed: boolean
  counts: ReceptionCounts | null
  reception: Reception
}

export function newPeer(peer: CallPeer): Peer {
  return {
    peer,
    attempt: 0,
    connection: null,
    former: null,
    linkLostAtMs: -Infinity,
    timer: undefined,
    connectMs: CONNECT_MS,
    loudAtMs: -Infinity,
    failed: false,
    counts: null,
    reception: NO_RECEPTION,
  }
}

export function connectionsOf({ former, connection }: Peer): MediaConnection[] {
  return [former, connection].filter((each) => each !== null)
}

/** The one whose media is shown. */
export function currentOf(entry: Peer | undefined): MediaConnection | null {
  const { former = null, connection = null } = entry ?? {}
  return connection?.isConnected ? connection : (former ?? connection)
}

export function close(entry: Peer): void {
  clearTimeout(entry.timer)
  for (const each of connectionsOf(entry)) each.close()
  entry.connection = entry.former = null
}
