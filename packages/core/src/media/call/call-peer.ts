/** State that a call keeps about each other member in it. */
import type { MemberId } from "@keymoot/transport"
import type { MediaParticipant } from "../../api/index.ts"
import { MEDIA_SOURCES, type MediaMember, type MediaSource } from "../keys/media-view.ts"
import type { Wanted } from "../signals/call-states.ts"
import type { MediaConnection } from "../connection/media-connection.ts"
import { REPLACE_MS, SILENCE_MS } from "../connection/path-watch.ts"
import { NO_RECEPTION, type Reception, receptionBetween, type ReceptionCounts } from "../connection/reception.ts"

/** Largest number of other members to which one connects. */
export const CALL_PEERS_MAX = 23
/** An attempt without a path in this time is given up. The next ones take twice the time each, up to the maximum. */
export const CONNECT_MS = 10_000
const CONNECT_MS_MAX = 60_000
/** A silent connection is replaced again after this time. The next ones take twice the time each, up to the maximum. */
const REPLACE_APART_MS = 2000
const REPLACE_APART_MS_MAX = 32_000
/** After this time without a replacement, the first time holds again. */
const REPLACE_CALM_MS = 60_000
/** Time from the next connection to the end of a former one. Chromium holds up all media of a page while it closes one. */
export const FORMER_MS = 500

export type CallPeer = MediaMember & {
  /** Session of its entry into the call. */
  readonly session: number
  /** Tracks that it has announced. */
  readonly sources: readonly MediaSource[]
  /** Tracks that it shows. Null: all of them, and nothing large. */
  readonly wanted: Wanted | null
  /** Whether it has a link to this member, over which it can announce a track. */
  readonly isLinked: boolean
}

export type Peer = {
  peer: CallPeer
  /** The last one, or that of `connection` once a later one was given up. Signals of others are late. */
  attempt: number
  connection: MediaConnection | null
  /** Carries media until `connection`, which replaces it, is connected. It is closed `FORMER_MS` later. */
  former: MediaConnection | null
  formerAttempt: number
  /** When the link left its direct path the last time. */
  linkLostAtMs: number
  timer: ReturnType<typeof setTimeout> | undefined
  connectMs: number
  /** When a silent connection was replaced the last time, and the time until the next one may be. */
  replacedAtMs: number
  replaceApartMs: number
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
    formerAttempt: 0,
    linkLostAtMs: -Infinity,
    timer: undefined,
    connectMs: CONNECT_MS,
    replacedAtMs: -Infinity,
    replaceApartMs: 0,
    failed: false,
    counts: null,
    reception: NO_RECEPTION,
  }
}

/** Peers to connect to. If there are too many, those of `before` stay, so that nobody displaces them by entering. */
export function chosen(all: readonly CallPeer[], before: ReadonlyMap<MemberId, unknown>): CallPeer[] {
  const isNew = ({ member }: CallPeer): number => (before.has(member) ? 0 : 1)
  return all.toSorted((one, other) => isNew(one) - isNew(other)).slice(0, CALL_PEERS_MAX)
}

/** Takes the present counters of a peer. Returns whether its reception has changed. */
export function receive(entry: Peer, counts: ReceptionCounts): boolean {
  const { quality, undecryptable } = entry.reception
  if (entry.counts) entry.reception = receptionBetween(entry.counts, counts)
  entry.counts = counts
  return entry.reception.quality !== quality || entry.reception.undecryptable !== undecryptable
}

/** Undefined for a member that is not connected to. */
export function connectionStateOf(entry: Peer | undefined): MediaParticipant["connection"] | undefined {
  if (currentOf(entry)?.isConnected) return "connected"
  return entry && (entry.failed ? "no-path" : "connecting")
}

/** Whether a path may carry this page's tracks to the peer. */
export function reaches(entry: Peer | undefined): boolean {
  return entry !== undefined && connectionsOf(entry).some(({ hasPath }) => hasPath)
}

export function connectionsOf({ former, connection }: Peer): MediaConnection[] {
  return [former, connection].filter((each) => each !== null)
}

/** The one whose media is shown. */
export function currentOf(entry: Peer | undefined): MediaConnection | null {
  const { former = null, connection = null } = entry ?? {}
  return connection?.isConnected ? connection : (former ?? connection)
}

/**
 * Begins an attempt at a connection. One that has a path carries media until the next one is connected. One without has
 * found none: the end that offers can notice that long before the time of the other end is over.
 */
export function begin(entry: Peer, attempt: number): void {
  // The timer of the attempt before would give up this one.
  clearTimeout(entry.timer)
  if (entry.connection?.hasPath) {
    entry.former?.close()
    entry.former = entry.connection
    entry.formerAttempt = entry.attempt
  } else if (entry.connection) {
    entry.connection.close()
    entry.failed = true
  }
  entry.connection = entry.counts = null
  entry.attempt = attempt
}

type Silence = { readonly nowMs: number; readonly packetAgeMs: number; readonly isSure: boolean }

/**
 * Whether a silent connection is replaced now. A busy machine may hear no sound while packets come, and each new
 * connection keeps it busier. `isSure`: the link has lost its direct path since the last sound.
 */
export function mayReplace(entry: Peer, { nowMs, packetAgeMs, isSure }: Silence): boolean {
  if (packetAgeMs < (isSure ? SILENCE_MS : REPLACE_MS) / 2) return false
  const sinceMs = nowMs - entry.replacedAtMs
  if (isSure || sinceMs < entry.replaceApartMs) return isSure
  entry.replacedAtMs = nowMs
  entry.replaceApartMs =
    sinceMs > REPLACE_CALM_MS ? REPLACE_APART_MS : Math.min(2 * entry.replaceApartMs, REPLACE_APART_MS_MAX)
  return true
}

/** Whether to replace a connection over which no sound comes. `follow`: the link has lost its path, too. */
export async function isDead(entry: Peer, connection: MediaConnection, why: "follow" | "replace"): Promise<boolean> {
  const packetAgeMs = await connection.packetAgeMs().catch(() => Infinity)
  if (connection !== entry.connection) return false
  return mayReplace(entry, { nowMs: performance.now(), packetAgeMs, isSure: why === "follow" })
}

/** The connection of the last attempt is connected. The former one sends nothing more, and is closed a little later. */
export function settle(entry: Peer): void {
  clearTimeout(entry.timer)
  const { former } = entry
  for (const source of MEDIA_SOURCES) former?.send(source, null)
  entry.timer = setTimeout(() => {
    former?.close()
    if (entry.former === former) entry.former = null
  }, FORMER_MS)
  entry.connectMs = CONNECT_MS
  entry.failed = false
}

export function close(entry: Peer): void {
  clearTimeout(entry.timer)
  for (const each of connectionsOf(entry)) each.close()
  entry.connection = entry.former = null
}

/**
 * The last attempt has found no path, or the peer broke a rule. Returns whether the former connection goes on. Another
 * attempt then follows if the peer stays silent.
 */
export function giveUp(entry: Peer, isFault: boolean): boolean {
  entry.connectMs = Math.min(2 * entry.connectMs, CONNECT_MS_MAX)
  const live = entry.former?.isConnected && !isFault ? entry.former : null
  if (live) entry.former = null
  // An answer to the vain attempt may still come. For the live connection it would be a second one.
  if (live) entry.attempt = entry.formerAttempt
  close(entry)
  entry.connection = live
  entry.failed = live === null
  return live !== null
}
