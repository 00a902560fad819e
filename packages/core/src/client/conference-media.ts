import type { MemberId } from "@keymoot/transport"
import {
  type ConferenceMedia,
  KeymootError,
  type MediaEvents,
  type MediaParticipant,
  type MediaPurpose,
  type MediaRequest,
  type MediaSize,
  type MediaTrackStatistics,
  type Member,
} from "../api/index.ts"
import { Call } from "../media/call/call.ts"
import { CALL_PEERS_MAX } from "../media/call/call-peer.ts"
import { callFull, callStopped, ENTERING_MS, keysOfBrowser } from "../media/call/entering-checks.ts"
import { HostRequests } from "../media/call/host-requests.ts"
import { participantOf, SpeakingWatch, statisticsOf } from "../media/call/participant.ts"
import { MediaThread } from "../media/call/media-thread.ts"
import { WantedSizes } from "../media/call/wanted-sizes.ts"
import { MEDIA_SOURCES } from "../media/keys/media-view.ts"
import { type CallState, CallStates, type Wanted } from "../media/signals/call-states.ts"
import type { MediaSignal } from "../media/signals/media-signal.ts"
import type { Emitter } from "./connection/emitter.ts"
import type { EngineConnection } from "./connection/engine-connection.ts"
import type { ConferenceEvent, ConferenceInfo } from "../rpc/protocol.ts"
import type { PresentState } from "./connection/present-state.ts"
import { IceServers } from "./ice-servers.ts"
import { notLoaded } from "./worker-thread.ts"

type Running = {
  readonly call: Call
  readonly thread: MediaThread
  readonly session: number
  readonly enteredAtMs: number
}

/** Events that concern a call. */
export type MediaEvent = Extract<
  ConferenceEvent,
  { type: "media" | "status" | "viewStart" | "view" | "links" | "closed" }
>

export type MediaConfig = {
  readonly info: Pick<ConferenceInfo, "id" | "self" | "incarnation">
  readonly connection: EngineConnection
  readonly present: Pick<PresentState, "view" | "of" | "onEvent">
  readonly emitter: Emitter<MediaEvents>
}

/** State of the call of one conference, and the connections to the members in it. */
export class Media implements Omit<ConferenceMedia, "on" | "canConnect"> {
  readonly #config: MediaConfig
  readonly #states = new CallStates()
  readonly #published = new Map<MediaPurpose, MediaStreamTrack>()
  readonly #sizes = new WantedSizes()
  readonly #requests = new HostRequests()
  readonly #speaking = new SpeakingWatch()
  readonly #servers: IceServers
  #running: Running | null = null
  /** Last entry that ended because the call was full. */
  #refused: Running | null = null
  #hasEntered = false
  /** Links over which signals can go. A member that others reach for this one has none. */
  #links: (MediaEvent & { readonly type: "links" })["links"] = new Map()
  #closed = false

  constructor(config: MediaConfig) {
    this.#config = config
    this.#servers = new IceServers(config.connection, config.info.id)
  }

  get state(): ConferenceMedia["state"] {
    return this.#running ? "in" : "out"
  }

  get published(): ReadonlyMap<MediaPurpose, MediaStreamTrack> {
    return this.#published
  }

  get participants(): readonly MediaParticipant[] {
    const call = this.#running?.call ?? null
    const shown = this.#present().filter(({ member }) => !call || call.connectionOf(member.id))
    return shown.map(({ member, sources }) => participantOf(call, member, sources))
  }

  get videoReduced(): boolean {
    return this.#running?.call.isVideoReduced ?? false
  }

  async enter(): Promise<void> {
    const running = this.#running ?? this.#enter()
    this.#change()
    const isLoaded = await running.thread.loaded
    if (this.#refused === running) throw callFull()
    if (isLoaded) return
    if (this.#running === running) this.leave()
    throw notLoaded()
  }

  leave(): void {
    const running = this.#running
    if (!running) return
    this.#running = null
    this.#sizes.clear()
    for (const purpose of this.#published.keys()) this.#forget(purpose)
    running.call.close()
    this.#config.connection.passMediaKeys?.(this.#config.info.id, null)
    this.#announce(this.#others())
    this.#change()
  }

  async publish(purpose: MediaPurpose, track: MediaStreamTrack): Promise<void> {
    const running = this.#running
    if (!running) throw new KeymootError("closed", "You are not in the call. Join it first.")
    const kind = purpose === "camera" || purpose === "screen" ? "video" : "audio"
    if (!MEDIA_SOURCES.includes(purpose) || track?.kind !== kind || track.readyState === "ended") {
      throw new KeymootError("invalid-argument", `Publish live ${kind} tracks for this purpose: ${purpose}.`)
    }
    if (this.#isViewer) {
      throw new KeymootError("not-permitted", "You can listen and watch here. A host can let you speak.")
    }
    this.#forget(purpose)
    this.#published.set(purpose, track)
    track.addEventListener("ended", this.#onEnded)
    running.call.publish(purpose, track)
    this.#announce(this.#others())
    this.#change()
  }

  async unpublish(purpose: MediaPurpose): Promise<void> {
    if (!this.#published.has(purpose)) return
    this.#forget(purpose)
    this.#running?.call.publish(purpose, null)
    this.#announce(this.#others())
    this.#change()
  }

  subscribe(member: MemberId, purpose: "camera" | "screen", size: MediaSize): void {
    if (this.#sizes.set(member, purpose, size)) this.#want(member)
  }

  async request(member: MemberId, request: MediaRequest): Promise<void> {
    const found = this.#present().find((each) => each.member.id === member)
    if (!found) throw new KeymootError("invalid-argument", "This member is not in the call.")
    if (!found.member.mayRemove) throw new KeymootError("not-permitted", "Only a host of a higher rank may ask.")
    this.#send([member], { kind: "request", session: found.state.session, request })
  }

  level({ member }: MediaParticipant): number {
    return this.#running?.call.level(member.id) ?? 0
  }

  async statistics(): Promise<readonly MediaTrackStatistics[]> {
    return statisticsOf((await this.#running?.thread.counts()) ?? [], this.#config.present.view.members)
  }

  onEvent(event: MediaEvent): void {
    switch (event.type) {
      case "media":
        return this.#onSignal(event)
      // A role may have changed.
      case "status":
        return this.#update()
      case "viewStart":
        return this.#running?.call.setAgreeing(true)
      case "view":
        this.#running?.call.setAgreeing(false)
        return this.#onView(event)
      case "links":
        return this.#onLinks(event)
      case "closed":
        this.#closed = true
        return this.leave()
    }
  }

  #onSignal({ from, signal }: MediaEvent & { readonly type: "media" }): void {
    if (signal.kind === "request") return this.#onRequest(from, signal)
    if (signal.kind === "wanted") return this.#onWanted(from, signal)
    if (signal.kind !== "state") return this.#running?.call.signal(from, signal)
    const change = this.#states.take(from, signal)
    if (signal.session === 0) this.#sizes.delete(from)
    // A state often only asks for an acknowledgement.
    if (change !== "nothing") this.#update()
    // A page that was loaded again has no size from here.
    if (change === "session" && this.#sizes.has(from)) this.#want(from)
  }

  #onWanted(from: MemberId, wanted: Wanted): void {
    if (this.#states.want(from, wanted)) this.#running?.call.setWanted(from, wanted)
  }

  #onRequest(from: MemberId, { session, request }: MediaSignal & { readonly kind: "request" }): void {
    const { present, emitter } = this.#config
    const self = present.view.members.find((each) => each.self)
    const host = present.view.members.find(({ id }) => id === from)
    if (!self || !host || !this.#running) return
    const refusal = this.#requests.refusal(host, self)
    const detail = "it asked to unmute without being a host"
    if (refusal?.report) present.onEvent({ type: "security", event: { code: "beyond-role", member: from, detail } })
    if (refusal) return
    if (session !== this.#running.session || (request === "mute") !== this.#published.has("microphone")) return
    if (request === "unmute" && this.#requests.isTooSoon(from, performance.now())) return
    emitter.emit("request", request, host)
    if (request === "mute") void this.unpublish("microphone")
  }

  /** A view is secured. Connections to members that left end. */
  #onView({ peers }: MediaEvent & { readonly type: "view" }): void {
    const incarnations = new Map(peers.map(({ id, incarnation }) => [id, incarnation]))
    this.#states.onView(incarnations, this.#links)
    this.#running?.call.retain(new Set([...incarnations.keys(), ...this.#links.keys()]))
    this.#sizes.retain(incarnations)
    this.#requests.onView(incarnations)
    // Also after leaving: a newcomer may have heard that this member is in the call.
    if (this.#hasEntered) this.#announce(this.#others())
    this.#update()
  }

  #onLinks({ links }: MediaEvent & { readonly type: "links" }): void {
    const former = this.#links
    this.#links = new Map([...links].filter(([, path]) => path !== "relayed-by-member"))
    // Not to waiting people, who have a link to a host, too.
    const added = this.#others().filter((member) => this.#links.has(member) && !former.has(member))
    // Also after leaving, since a member without a link has missed it.
    if (added.length > 0 && this.#hasEntered) this.#announce(added)
    for (const [member, path] of links)
      if (path !== "direct" && former.get(member) === "direct") this.#running?.call.onLinkLost(member)
    if (this.#running) this.#update()
  }

  #enter(): Running {
    const { connection, info, present, emitter } = this.#config
    const passMediaKeys = keysOfBrowser(connection.passMediaKeys)
    if (this.#closed) throw new KeymootError("closed", "You are no longer in this conference.")
    if (this.#present().length > CALL_PEERS_MAX) throw callFull()
    const { port1, port2 } = new MessageChannel()
    passMediaKeys(info.id, port2)
    const thread = new MediaThread(port1)
    const session = 1 + (crypto.getRandomValues(new Uint32Array(1))[0]! % 0xfffffffe)
    const call = new Call({
      self: info.self.id,
      session,
      thread,
      servers: this.#servers,
      sink: {
        take: (event) => {
          if (event.type === "send") return this.#send([event.to], event.signal)
          if (event.type === "changed") return this.#change()
          if (event.type === "unheard") return this.#onUnheard(event.member)
          const { member, detail } = event
          present.onEvent({ type: "security", event: { code: "bad-frame", member, detail } })
        },
      },
    })
    const running = (this.#running = { call, thread, session, enteredAtMs: performance.now() })
    thread.onFailed(() => {
      this.leave()
      emitter.emit("failed", callStopped())
    })
    this.#hasEntered = true
    this.#announce(this.#others())
    this.#update()
    return running
  }

  /** The state only asks for an acknowledgement. A link of idle members can be quiet for as long on a live path. */
  #onUnheard(member: MemberId): void {
    const { connection, info } = this.#config
    this.#announce([member])
    void this.#servers.ask()
    connection.call("media.unheard", { id: info.id, member }).catch(() => undefined)
  }

  /** Members of the view in the call, in the incarnation that the view has. */
  #present(): { readonly member: Member; readonly state: CallState; readonly sources: CallState["sources"] }[] {
    return this.#config.present.view.members.flatMap((member) => {
      const state = member.self ? null : this.#states.inCall(member.id)
      return state ? [{ member, state, sources: member.role === "viewer" ? [] : state.sources }] : []
    })
  }

  #update(): void {
    const running = this.#running
    const isFull = this.#present().length > CALL_PEERS_MAX
    if (running && isFull && performance.now() - running.enteredAtMs < ENTERING_MS) {
      this.#refused = running
      this.leave()
      return this.#config.emitter.emit("full")
    }
    if (this.#isViewer) this.#stopPublishing()
    const peers = this.#present().map(({ member: { id }, state, sources }) => {
      return { ...state, member: id, sources, isLinked: this.#links.has(id) }
    })
    running?.call.setPeers(peers)
    this.#change()
  }

  get #isViewer(): boolean {
    return this.#config.present.view.members.find((each) => each.self)?.role === "viewer"
  }

  /** A host has made this member a viewer. Its frames no longer pass the media worker of anybody. */
  #stopPublishing(): void {
    for (const purpose of this.#published.keys()) {
      void this.unpublish(purpose)
      this.#config.emitter.emit("ended", purpose)
    }
  }

  #others(): MemberId[] {
    return this.#config.present.view.members.filter(({ self }) => !self).map(({ id }) => id)
  }

  #announce(to: readonly MemberId[]): void {
    const { incarnation } = this.#config.info
    const sources = MEDIA_SOURCES.filter((source) => this.#published.has(source))
    this.#send(to, { kind: "state", session: this.#running?.session ?? 0, incarnation, sources })
    // It may be the first state that this member gets in its present incarnation.
    for (const member of to) if (this.#sizes.has(member)) this.#want(member)
  }

  /** Tells a member which of its tracks this one shows. It follows a state, since it counts for that session only. */
  #want(member: MemberId): void {
    if (!this.#running) return
    this.#send([member], { kind: "wanted", session: this.#running.session, ...this.#sizes.wantedOf(member) })
  }

  #send(to: readonly MemberId[], signal: MediaSignal): void {
    const { connection, info } = this.#config
    if (to.length > 0) connection.call("media.signal", { id: info.id, to, signal }).catch(() => undefined)
  }

  readonly #onEnded = ({ target }: Event): void => {
    const purpose = [...this.#published].find(([, track]) => track === target)?.[0]
    if (!purpose) return
    void this.unpublish(purpose)
    this.#config.emitter.emit("ended", purpose)
  }

  #forget(purpose: MediaPurpose): void {
    this.#published.get(purpose)?.removeEventListener("ended", this.#onEnded)
    this.#published.delete(purpose)
  }

  #change(): void {
    this.#config.emitter.emit("change")
    for (const change of this.#speaking.step(this.participants)) this.#config.emitter.emit("speaking", ...change)
  }
}
