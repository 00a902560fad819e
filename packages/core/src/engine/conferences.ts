/** The conferences of one engine: how they are entered, ticked and left. */
import type { HostEvent, IceTransportPolicy, LinkNumber } from "@keymoot/transport/host"
import { type ClosedReason, type ConferencePreview, KeymootError, type ScheduledConference } from "../api.ts"
import {
  type Descriptor,
  formatInvitation,
  openDescriptor,
  parseInvitation,
  type Invitation,
} from "../conference/index.ts"
import { createMemoryBlockStore } from "../files/index.ts"
import {
  type MemberCredentialChecker,
  type OwnIdentity,
  storageUnavailable,
  type VerifiedPeople,
} from "../identity/index.ts"
import { LocalCopy } from "../local-copies/index.ts"
import { admitted } from "./admitted.ts"
import { ConferenceRecord } from "./conference-record.ts"
import { createSession } from "./create-session.ts"
import { Directory } from "./directory.ts"
import type { EngineOptions } from "./engine.ts"
import { acquireLock } from "./exclusive-lock.ts"
import { makeConference, type Maker } from "./make-conference.ts"
import type { ConferenceInfo, EngineCalls } from "./protocol.ts"
import { type Onlooker, previewOf } from "./preview.ts"
import type { Session } from "./session.ts"
import { assertOpen, assertSchedule, CLOCKS_BEHIND_MS } from "./time-frame.ts"

const TICK_MS = 50
/** Conferences of one engine at once. */
export const CONFERENCES_MAX = 16

/** Who enters, and whom it has verified. */
type Entrant = { readonly identity: OwnIdentity; readonly people: VerifiedPeople }

type Running = {
  readonly session: Session
  readonly server: string
  readonly copy: LocalCopy
  readonly record: ConferenceRecord
  readonly release: () => void
}
/** `created`: by this identity a moment ago, so that nobody else can be there. */
type Entering = {
  readonly created: boolean
  readonly localCopy: boolean
  readonly transportPolicy: IceTransportPolicy
}

export class Conferences {
  readonly #options: EngineOptions
  readonly #checker: MemberCredentialChecker
  readonly #directory: Directory
  readonly #entrant: () => Entrant
  readonly #running = new Map<string, Running>()
  #links = 0
  #timer: ReturnType<typeof setInterval> | null = null

  /** `entrant`: throws KeymootError while there is none. */
  constructor(options: EngineOptions, checker: MemberCredentialChecker, entrant: () => Entrant) {
    this.#options = options
    this.#checker = checker
    this.#entrant = entrant
    this.#directory = new Directory((command) => options.post({ type: "host", command }))
  }

  get count(): number {
    return this.#running.size
  }

  /** @throws KeymootError `closed` */
  session({ id }: { readonly id: string }): Session {
    const running = this.#running.get(id)
    if (!running) throw new KeymootError("closed", "This conference is over for you. Join it again.")
    return running.session
  }

  sessions(): Session[] {
    return Array.from(this.#running.values(), ({ session }) => session)
  }

  handleHost(event: HostEvent): void {
    this.#directory.handle(event)
    for (const session of this.sessions()) session.handleHost(event)
  }

  async create(params: EngineCalls["conference.create"]["params"]): Promise<ConferenceInfo> {
    const times = { startsAtMs: Date.now(), leewayMs: CLOCKS_BEHIND_MS }
    const { localCopy, transportPolicy } = params
    return makeConference({ ...params, ...times }, this.#maker(), (invitation, bytes) =>
      this.#enter(invitation, bytes, { created: true, localCopy, transportPolicy }),
    )
  }

  async schedule(params: EngineCalls["conference.schedule"]["params"]): Promise<ScheduledConference> {
    const { opensAtMs, durationMs } = params
    assertSchedule(opensAtMs, durationMs, Date.now())
    return makeConference({ ...params, startsAtMs: opensAtMs }, this.#maker(), async (invitation, bytes) => {
      // So that its maker can enter it by its id.
      await ConferenceRecord.open(this.#options.store, invitation, bytes)
      const timeFrame = { opensAtMs, endsAtMs: opensAtMs + durationMs }
      return { id: invitation.conferenceId, invitation: { url: formatInvitation(invitation) }, timeFrame }
    })
  }

  #maker(): Maker {
    return { identity: this.#entrant().identity, checker: this.#checker, directory: this.#directory }
  }

  async join({ url, ...how }: EngineCalls["conference.join"]["params"]): Promise<ConferenceInfo> {
    return this.#fetchAndEnter(parseInvitation(url), { ...how, created: false })
  }

  async resume({ id, ...how }: EngineCalls["conference.resume"]["params"]): Promise<ConferenceInfo> {
    const record = await this.#options.store.loadInvitation(id)
    if (!record) {
      const message = "This device has no key for this conference. Open it with its whole invitation link."
      throw new KeymootError("no-invitation", message)
    }
    return this.#fetchAndEnter({ ...record, roomKey: record.roomKey ?? null }, { ...how, created: false })
  }

  /** Enters nothing, and tells nobody but the directory. */
  async preview(url: string, onlooker: Onlooker | null): Promise<ConferencePreview> {
    const invitation = parseInvitation(url)
    this.#directory.use(invitation.server)
    try {
      const bytes = await this.#directory.fetchDescriptor(invitation.server, invitation.conferenceId)
      return previewOf(await openDescriptor(bytes, invitation, this.#checker, Date.now()), onlooker)
    } finally {
      this.#directory.release(invitation.server)
    }
  }

  /** At once what else would be tried after a while. @throws KeymootError `closed` */
  reconnect({ id }: { readonly id: string }): void {
    this.session({ id }).lookForOthers()
    this.#directory.retry(this.#running.get(id)!.server)
  }

  async #fetchAndEnter(invitation: Invitation, how: Entering): Promise<ConferenceInfo> {
    this.#entrant()
    this.#directory.use(invitation.server)
    try {
      const bytes = await this.#directory.fetchDescriptor(invitation.server, invitation.conferenceId)
      return await this.#enter(invitation, bytes, how)
    } finally {
      this.#directory.release(invitation.server)
    }
  }

  async #enter(invitation: Invitation, descriptorBytes: Uint8Array, how: Entering): Promise<ConferenceInfo> {
    const descriptor = await openDescriptor(descriptorBytes, invitation, this.#checker, Date.now())
    assertOpen(descriptor, Date.now())
    const identity = await admitted(this.#entrant().identity, descriptor, Date.now())
    const { conferenceId: id } = descriptor
    if (this.#running.size >= CONFERENCES_MAX) {
      throw new KeymootError("invalid-argument", `You are in ${CONFERENCES_MAX} conferences. Leave one first.`)
    }
    const unlock = this.#running.has(id) ? null : await acquireLock(`keymoot ${identity.member} ${id}`)
    if (!unlock) {
      const message = "You are in this conference already, in another tab or window. Go on there, or close it first."
      throw new KeymootError("already-open", message)
    }
    try {
      const record = await ConferenceRecord.open(this.#options.store, invitation, descriptorBytes)
      return await this.#start(invitation, record, descriptor, how, identity, unlock)
    } catch (error) {
      unlock()
      throw error
    }
  }

  async #start(
    invitation: Invitation,
    record: ConferenceRecord,
    descriptor: Descriptor,
    { created, localCopy, transportPolicy }: Entering,
    identity: OwnIdentity,
    unlock: () => void,
  ): Promise<ConferenceInfo> {
    const { conferenceId: id } = descriptor
    const copy = new LocalCopy(this.#options.store.copies, identity.publicKey, id)
    const session = createSession({
      descriptor,
      invitation,
      record,
      identity,
      checker: this.#checker,
      people: this.#entrant().people,
      cryptography: this.#options.cryptography,
      iceServers: this.#options.iceServers,
      transportPolicy,
      created,
      meshMax: this.#options.meshMax,
      post: (command) => this.#options.post({ type: "host", command }),
      nextLink: () => ++this.#links as LinkNumber,
      nextRequest: () => this.#directory.nextRequest(),
      emit: (event) => {
        this.#options.post({ type: "event", id, event })
        if (event.type === "closed") this.#onClosed(id, event.reason)
      },
      copy: localCopy ? copy : null,
      files: { shelf: copy.id, blocks: localCopy ? this.#options.store.files : createMemoryBlockStore() },
      now: () => Date.now(),
    })
    await session.restore()
    this.#directory.use(invitation.server)
    this.#running.set(id, { session, server: invitation.server, copy, record, release: unlock })
    this.#startTicking()
    session.tick(performance.now())
    const state = this.#directory.state(invitation.server)
    session.handleHost({ type: "bootstrap-state", server: invitation.server, state })
    return session.info
  }

  async leave({ id, forget }: EngineCalls["conference.leave"]["params"]): Promise<null> {
    const running = this.#running.get(id)
    if (!forget) {
      await running?.session.close("left")
      return null
    }
    await (running ? running.record.forget() : this.#options.store.deleteInvitation(id))
    // First: whoever hears that the conference is closed may end this engine at once.
    const forgotten = running && Promise.all([running.copy.forget(), running.session.files.forget()])
    const failure = await forgotten?.then(() => null, storageUnavailable)
    await running?.session.close("left")
    if (failure) throw failure
    return null
  }

  /** With a host's word against it no invitation is of use. */
  #onClosed(id: string, reason: ClosedReason): void {
    const running = this.#running.get(id)
    if (reason === "removed" || reason === "refused") {
      running?.record.forget().catch(() => undefined)
      running?.copy.forget().catch(() => undefined)
      running?.session.files.forget().catch(() => undefined)
    }
    this.#forget(id)
  }

  #forget(id: string): void {
    const running = this.#running.get(id)
    if (!running) return
    this.#running.delete(id)
    running.release()
    this.#directory.release(running.server)
    if (this.#running.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }

  #startTicking(): void {
    this.#timer ??= setInterval(() => {
      for (const { session } of this.#running.values()) session.tick(performance.now())
    }, TICK_MS)
  }
}
