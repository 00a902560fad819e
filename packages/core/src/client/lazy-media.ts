import type { MemberId } from "@keymoot/transport"
import {
  type ConferenceMedia,
  KeymootError,
  type ListenOptions,
  type MediaEvents,
  type MediaParticipant,
  type MediaPurpose,
  type MediaRequest,
  type MediaSize,
  type MediaTrackStatistics,
  type Unsubscribe,
} from "../api/index.ts"
import type { ConferenceEvent } from "../rpc/protocol.ts"
import type { Media, MediaConfig, MediaEvent } from "./conference-media.ts"
import { Emitter } from "./connection/emitter.ts"
import { notLoaded } from "./worker-thread.ts"

/** Members whose states are kept until the code of calls is loaded. Beyond it, the first one is forgotten. */
export const EARLY_STATES_MAX = 128

/** The call of one conference. Its code is loaded once somebody is in a call, so that other pages stay small. */
export class LazyMedia implements ConferenceMedia {
  readonly #config: Omit<MediaConfig, "emitter">
  readonly #emitter = new Emitter<MediaEvents>()
  #media: Media | null = null
  #loading: Promise<Media> | null = null
  #isEntering = false
  /** Times that the call was left. An entering that began before a leave is aborted. */
  #leaves = 0
  /** Last event of each type, for the code once it is loaded. */
  readonly #latest = new Map<string, MediaEvent>()
  /** Last states of the members in the call, for the code once it is loaded. Loading it may fail at first. */
  readonly #states = new Map<MemberId, MediaEvent>()

  constructor(config: Omit<MediaConfig, "emitter">) {
    this.#config = config
  }

  get state(): ConferenceMedia["state"] {
    return this.#isEntering ? "entering" : (this.#media?.state ?? "out")
  }

  get participants(): readonly MediaParticipant[] {
    return this.#media?.participants ?? []
  }

  get published(): ConferenceMedia["published"] {
    return this.#media?.published ?? new Map()
  }

  get videoReduced(): boolean {
    return this.#media?.videoReduced ?? false
  }

  on<E extends keyof MediaEvents>(event: E, listener: MediaEvents[E], options?: ListenOptions): Unsubscribe {
    return this.#emitter.on(event, listener, options)
  }

  async canConnect(): Promise<boolean> {
    const { connection, info } = this.#config
    const { iceServers, transportPolicy } = await connection.call("media.configuration", { id: info.id })
    const urls = iceServers.flatMap((server) => server.urls)
    return transportPolicy === "all" || urls.some((url) => /^turns?:/iu.test(url))
  }

  async enter(): Promise<void> {
    // The present state knows of an event before `onEvent`. So a page can enter as soon as it hears of its admission.
    if (this.#config.present.of("admission").waiting)
      throw new KeymootError("not-permitted", "A host has to admit you before you can join the call.")
    const leaves = this.#leaves
    const assertNotLeft = (): void => {
      if (leaves !== this.#leaves)
        throw new KeymootError("aborted", "The call was left before joining it had finished.")
    }
    this.#setEntering(true)
    try {
      const media = await this.#load()
      assertNotLeft()
      await media.enter()
      assertNotLeft()
      if (media.state === "out") throw new KeymootError("closed", "You are no longer in this conference.")
    } finally {
      if (leaves === this.#leaves) this.#setEntering(false)
    }
  }

  leave(): void {
    this.#leaves++
    if (this.#isEntering) this.#setEntering(false)
    this.#media?.leave()
  }

  async publish(purpose: MediaPurpose, track: MediaStreamTrack): Promise<void> {
    // It runs at once if the code is loaded, so an `unpublish` of the same turn comes after it.
    return (this.#media ?? (await this.#load())).publish(purpose, track)
  }

  async unpublish(purpose: MediaPurpose): Promise<void> {
    await this.#media?.unpublish(purpose)
  }

  subscribe(member: MemberId, purpose: "camera" | "screen", size: MediaSize): void {
    this.#media?.subscribe(member, purpose, size)
  }

  async request(member: MemberId, request: MediaRequest): Promise<void> {
    return (await this.#load()).request(member, request)
  }

  level(participant: MediaParticipant): number {
    return this.#media?.level(participant) ?? 0
  }

  async statistics(): Promise<readonly MediaTrackStatistics[]> {
    return this.#media?.statistics() ?? []
  }

  /** Takes every event that the conference's state takes. */
  onEvent(event: ConferenceEvent): void {
    // A member that a host admits again must not be on air before it enters.
    if (event.type === "admission" && event.state.waiting) this.leave()
    if (this.#media) return this.#media.onEvent(event as MediaEvent)
    if (event.type !== "media") return void this.#latest.set(event.type, event as MediaEvent)
    if (event.signal.kind === "state") return this.#onState(event.from, event, event.signal.session > 0)
    // Without its code this member is in no call, so only the news that somebody else is matters.
    if (this.#loading) this.#loading.then((media) => media.onEvent(event)).catch(() => undefined)
  }

  #onState(member: MemberId, event: MediaEvent, isInCall: boolean): void {
    this.#states.delete(member)
    if (!isInCall) return
    this.#states.set(member, event)
    if (this.#states.size > EARLY_STATES_MAX) this.#states.delete(this.#states.keys().next().value!)
    // If loading fails, the next state of any member tries again.
    this.#load().catch(() => undefined)
  }

  #setEntering(isEntering: boolean): void {
    this.#isEntering = isEntering
    this.#emitter.emit("change")
  }

  #load(): Promise<Media> {
    return (this.#loading ??= import("./conference-media.ts").then(
      ({ Media }) => {
        const media = (this.#media = new Media({ ...this.#config, emitter: this.#emitter }))
        for (const event of [...this.#latest.values(), ...this.#states.values()]) media.onEvent(event)
        return media
      },
      () => {
        this.#loading = null
        throw notLoaded()
      },
    ))
  }
}
