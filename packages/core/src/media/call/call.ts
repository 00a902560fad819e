/** A member's part in the call of a conference: a connection to each other member in it, and its own tracks. */
import type { MemberId, Sink } from "@keymoot/transport"
import type { IceServer, IceTransportPolicy } from "@keymoot/transport/host"
import { isSameMember, type MediaSource } from "../keys/media-view.ts"
import type { Wanted } from "../signals/call-states.ts"
import type { MediaSignal } from "../signals/media-signal.ts"
import { type ConnectingSignal, EarlySignals } from "../signals/early-signals.ts"
import { Loudness, Speakers } from "../connection/loudness.ts"
import { MediaConnection } from "../connection/media-connection.ts"
import {
  begin,
  CALL_PEERS_MAX,
  type CallPeer,
  chosen,
  close,
  connectionStateOf,
  currentOf,
  giveUp,
  isDead,
  mayReplace,
  newPeer,
  type Peer,
  reaches,
  settle,
} from "./call-peer.ts"
import type { MediaThread } from "./media-thread.ts"
import { OwnTracks } from "./own-tracks.ts"
import { PageTurns } from "./page-turns.ts"
import { REOPEN_APART_MS, Reopenings } from "./reopenings.ts"
import { NO_RECEPTION, type Reception } from "../connection/reception.ts"
import { ReceptionLooks } from "./reception-looks.ts"
import { hasSameLimits } from "../connection/sending-limits.ts"

const LEVELS_MS = 200
const RECEPTION_MS = 2000
/** The same for a narrow line, which is probed as soon as it grows. Each look stops a page of Chromium for some 4 ms. */
const NARROW_MS = 500

export type CallEvent =
  | { readonly type: "send"; readonly to: MemberId; readonly signal: MediaSignal }
  /** The peer's microphone is on, and nothing of it arrives. */
  | { readonly type: "unheard"; readonly member: MemberId }
  /** Connections, who speaks, or whether less video is sent, have changed. */
  | { readonly type: "changed" }
  /** The peer broke a rule of calls. */
  | { readonly type: "fault"; readonly member: MemberId; readonly detail: string }

/** Source of ICE servers. It is asked for each connection, since credentials of TURN expire. */
export type CallServers = {
  ask(): Promise<{ readonly iceServers: readonly IceServer[]; readonly transportPolicy: IceTransportPolicy }>
}

export type CallConfig = {
  readonly self: MemberId
  /** Session of this entry into the call. */
  readonly session: number
  readonly thread: MediaThread
  readonly servers: CallServers
  readonly sink: Sink<CallEvent>
}

export class Call {
  readonly #config: CallConfig
  readonly #peers = new Map<MemberId, Peer>()
  readonly #own = new OwnTracks()
  /** From members that are not in the call yet. */
  readonly #early = new EarlySignals(CALL_PEERS_MAX)
  /** From peers whose connection is being made. */
  readonly #awaiting = new EarlySignals(CALL_PEERS_MAX)
  /** Kept when a peer enters again, so that it cannot open connections faster. */
  readonly #reopenings = new Reopenings()
  readonly #loudness = new Loudness()
  readonly #looks: ReceptionLooks
  /** Turns of the timer of levels. */
  readonly #turns = new PageTurns(LEVELS_MS, performance.now())
  readonly #speakers = new Speakers()
  readonly #timers: readonly ReturnType<typeof setInterval>[]
  #looking: Promise<void> | null = null
  #isAgreeing = false
  #attempts = 0
  #closed = false

  constructor(config: CallConfig) {
    this.#config = config
    this.#looks = new ReceptionLooks(config.thread, this.#peers)
    config.thread.onKeyFrameNeeded(({ peer, source }) =>
      currentOf(this.#peers.get(peer.member))?.requestKeyFrame(source),
    )
    config.thread.onSounds(() => this.#peers.forEach((entry) => this.#watch(entry)))
    this.#timers = [
      setInterval(() => this.#listen(), LEVELS_MS),
      setInterval(() => this.#weigh(), RECEPTION_MS),
      setInterval(() => (this.#looking ??= this.#look().finally(() => (this.#looking = null))), RECEPTION_MS),
      setInterval(() => this.#looks.lookAtNarrow(), NARROW_MS),
    ]
  }

  /** The other members of the view that are in the call. Connections to others end. */
  setPeers(all: readonly CallPeer[]): void {
    const peers = chosen(all, this.#peers)
    const before = this.#peers.size
    for (const [member, { peer }] of this.#peers) {
      const present = peers.find((each) => isSameMember(each, peer))
      if (present?.session !== peer.session) this.#drop(member)
    }
    for (const peer of peers) {
      const entry = this.#peers.get(peer.member)
      if (entry) entry.peer = peer
      else this.#add(peer)
    }
    // A microphone may be on now.
    this.#peers.forEach((entry) => this.#watch(entry))
    // A peer can enter and leave many times a second. A new connection gets its own limits.
    if (!hasSameLimits(before, this.#peers.size)) this.#limit()
  }

  signal(from: MemberId, signal: ConnectingSignal | (MediaSignal & { readonly kind: "unheard" })): void {
    const entry = this.#peers.get(from)
    if (signal.kind === "unheard") return this.#onUnheard(entry, signal)
    if (!entry) return this.#early.keep(from, signal)
    const { session, attempt, ...rest } = signal
    const initiator = this.#offersTo(from)
    if (session !== (initiator ? this.#config.session : entry.peer.session)) return
    // While the connection is made, its peer already sends candidates.
    if (attempt === entry.attempt)
      return entry.connection ? entry.connection.signal(rest) : this.#awaiting.keep(from, signal)
    if (initiator || attempt < entry.attempt || signal.kind !== "description" || signal.type !== "offer") return
    this.#begin(entry, attempt, rest)
  }

  /** Forgets what came early from others. These members are in the view, or may be in the next one. */
  retain(members: ReadonlySet<MemberId>): void {
    this.#early.retain(members)
  }

  publish(source: MediaSource, track: MediaStreamTrack | null): void {
    this.#own.set(source, track, this.#peers.values())
    this.#limit()
  }

  /** Takes which of this member's tracks a peer shows. */
  setWanted(member: MemberId, wanted: Wanted): void {
    const entry = this.#peers.get(member)
    if (entry?.peer.session !== wanted.session) return
    entry.peer = { ...entry.peer, wanted }
    // Only this one, since a peer can ask many times a second.
    this.#limit([entry])
  }

  /** `is`: the members agree on a key, and nobody sends. Silence counts from its end on. */
  setAgreeing(is: boolean): void {
    for (const entry of this.#peers.values()) this.#watch(entry)
    if (is) this.#looks.onView()
    this.#isAgreeing = is
  }

  /** The link to this member has lost its direct path, and goes by a relay. */
  onLinkLost(member: MemberId): void {
    const entry = this.#peers.get(member)
    if (!entry) return
    entry.linkLostAtMs = performance.now()
    this.#watch(entry)
  }

  /** Undefined for a member that is not connected to, since the call is full. */
  connectionOf(member: MemberId): ReturnType<typeof connectionStateOf> {
    return connectionStateOf(this.#peers.get(member))
  }

  /** Whether a path may carry this page's tracks to the member. */
  reaches(member: MemberId): boolean {
    return reaches(this.#peers.get(member))
  }

  receptionOf(member: MemberId): Reception {
    return this.#peers.get(member)?.reception ?? NO_RECEPTION
  }

  received(member: MemberId, source: MediaSource): MediaStreamTrack | null {
    return currentOf(this.#peers.get(member))?.received(source) ?? null
  }

  /** See `OwnTracks`. */
  get isVideoReduced(): boolean {
    return this.#own.isVideoReduced
  }

  level(member: MemberId): number {
    return currentOf(this.#peers.get(member))?.level ?? 0
  }

  isSpeaking(member: MemberId): boolean {
    return this.#speakers.isSpeaking(member)
  }

  close(): void {
    this.#closed = true
    for (const timer of this.#timers) clearInterval(timer)
    for (const member of this.#peers.keys()) this.#drop(member)
    this.#loudness.close()
    this.#config.thread.close()
  }

  /** The member with the lower id offers. */
  #offersTo(member: MemberId): boolean {
    return this.#config.self < member
  }

  #add(peer: CallPeer): void {
    const entry = newPeer(peer)
    this.#peers.set(peer.member, entry)
    if (this.#offersTo(peer.member)) this.#offer(entry)
    else entry.timer = setTimeout(() => this.#onFailed(entry, null), entry.connectMs)
    this.#takeEarly(peer.member)
  }

  #takeEarly(member: MemberId): void {
    for (const early of [this.#early, this.#awaiting])
      for (const signal of early.take(member)) this.signal(member, signal)
  }

  #drop(member: MemberId): void {
    const entry = this.#peers.get(member)
    if (entry) close(entry)
    this.#peers.delete(member)
    this.#awaiting.take(member)
  }

  #offer(entry: Peer): void {
    this.#begin(entry, ++this.#attempts)
  }

  /** Waits if the peer has got a connection just now: it can enter the call again as often as it likes. */
  #begin(entry: Peer, attempt: number, ...first: Parameters<MediaConnection["signal"]>[0][]): void {
    const { member } = entry.peer
    begin(entry, attempt)
    const open = (): void => {
      this.#reopenings.opened(member, performance.now())
      // A browser can refuse to make a connection.
      void this.#open(entry, attempt, ...first).catch(() => this.#onFailed(entry, null))
    }
    const waitMs = this.#reopenings.waitMs(member, performance.now())
    if (waitMs === 0) return open()
    entry.timer = setTimeout(open, waitMs)
    this.#config.sink.take({ type: "changed" })
  }

  async #open(entry: Peer, attempt: number, ...first: Parameters<MediaConnection["signal"]>[0][]): Promise<void> {
    const { peer } = entry
    const { servers, thread, sink, session } = this.#config
    const found = await servers.ask().catch(() => null)
    if (this.#closed || this.#peers.get(peer.member) !== entry || entry.attempt !== attempt) return
    if (!found) return this.#onFailed(entry, null)
    const initiator = this.#offersTo(peer.member)
    const names = { session: initiator ? session : peer.session, attempt }
    const connection = new MediaConnection({
      peer: { member: peer.member, incarnation: peer.incarnation },
      initiator,
      ...found,
      worker: thread.worker,
      loudness: this.#loudness,
      sink: {
        take: (event) => {
          if (connection !== entry.connection && connection !== entry.former) return
          if (event.type === "signal")
            return sink.take({ type: "send", to: peer.member, signal: { ...event.signal, ...names } })
          if (event.type === "lost") return void this.#replace(entry, connection, "replace")
          if (event.type === "failed") {
            if (event.fault !== null || connection !== entry.former) return this.#onFailed(entry, event.fault)
            entry.former = null
            return sink.take({ type: "changed" })
          }
          if (connection.isConnected && connection === entry.connection) {
            settle(entry)
            this.#limit([entry])
          }
          sink.take(event)
        },
      },
    })
    entry.connection = connection
    this.#own.sendOver(connection)
    this.#limit([entry])
    for (const signal of first) connection.signal(signal)
    this.#takeEarly(peer.member)
    clearTimeout(entry.timer)
    entry.timer = setTimeout(() => this.#onFailed(entry, null), entry.connectMs)
    sink.take({ type: "changed" })
  }

  /** Only the end that offers tries again. The other end takes its next offer, and waits as long for a path. */
  #onFailed(entry: Peer, fault: string | null): void {
    const { member } = entry.peer
    if (this.#peers.get(member) !== entry) return
    const goesOn = giveUp(entry, fault !== null)
    if (goesOn) this.#own.sendOver(entry.connection)
    if (goesOn) this.#limit([entry])
    if (fault !== null) this.#config.sink.take({ type: "fault", member, detail: fault })
    this.#config.sink.take({ type: "changed" })
    if (goesOn || !this.#offersTo(member)) return
    entry.timer = setTimeout(() => this.#offer(entry), 2 * REOPEN_APART_MS)
  }

  #limit(entries: Iterable<Peer> = this.#peers.values()): void {
    this.#own.limit(entries, this.#peers.size)
  }

  /** Sends less when the machine is overloaded. It waits for no look, which may take long then. */
  #weigh(): void {
    const share = this.#turns.look(performance.now(), document.visibilityState === "visible")
    if (share === null || !this.#own.weigh(share)) return
    this.#limit()
    this.#config.sink.take({ type: "changed" })
  }

  async #look(): Promise<void> {
    const { reports, changed } = await this.#looks.look()
    for (const report of reports) this.#config.sink.take({ type: "fault", ...report })
    if (changed && !this.#closed) this.#config.sink.take({ type: "changed" })
  }

  #watch(entry: Peer): void {
    const { connection, peer, linkLostAtMs } = entry
    const [nowMs, expected, agreeing] = [performance.now(), peer.sources.includes("microphone"), this.#isAgreeing]
    const answer = connection?.watch({ nowMs, sounds: this.#config.thread, expected, agreeing, linkLostAtMs })
    if (connection && (answer === "follow" || answer === "replace")) void this.#replace(entry, connection, answer)
    if (answer === "report") this.#config.sink.take({ type: "unheard", member: peer.member })
  }

  #onUnheard(entry: Peer | undefined, { session, attempt }: { readonly session: number; readonly attempt: number }) {
    if (!entry?.connection?.hasPath || session !== this.#config.session || attempt !== entry.attempt) return
    const silence = { nowMs: performance.now(), packetAgeMs: Infinity, isSure: false }
    if (this.#offersTo(entry.peer.member) && mayReplace(entry, silence)) this.#offer(entry)
  }

  /** Only the end that offers makes another connection. The other end asks for it: a path can die in one direction. */
  async #replace(entry: Peer, connection: MediaConnection, why: "follow" | "replace"): Promise<void> {
    if (!(await isDead(entry, connection, why))) return
    const { attempt, peer } = entry
    if (this.#offersTo(peer.member)) return this.#offer(entry)
    const signal = { kind: "unheard", session: peer.session, attempt } as const
    this.#config.sink.take({ type: "send", to: peer.member, signal })
  }

  #listen(): void {
    this.#turns.count()
    const levels = new Map([...this.#peers.keys()].map((member) => [member, this.level(member)]))
    if (this.#speakers.step(levels, performance.now())) this.#config.sink.take({ type: "changed" })
  }
}
