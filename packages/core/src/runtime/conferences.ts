/** Conferences of one engine: entering, ticking and leaving them. */
import type { TraceSink } from "@keymoot/transport"
import type { ConnectionId, HostEvent, IceTransportPolicy } from "@keymoot/transport/host"
import { type ClosedReason, type ConferencePreview, KeymootError, type ScheduledConference } from "../api/index.ts"
import { type Descriptor, openDescriptor } from "../conference/descriptor.ts"
import { type Invitation, parseInvitation } from "../conference/invitation.ts"
import type { MemberCredentialChecker } from "../identity/certificates/credential-checker.ts"
import type { OwnIdentity } from "../identity/own-identity.ts"
import { storageUnavailable } from "../identity/store.ts"
import type { VerifiedPeople } from "../identity/verified-people.ts"
import { createMemoryBlockStore } from "../device/stores/block-store.ts"
import { LocalCopy } from "../device/stores/local-copy.ts"
import { announcedEarlyEnd, endedAt, knownEnd } from "../admission/known-end.ts"
import { admitted } from "../admission/admitted.ts"
import { assertSameConference, ConferenceRecord, noInvitation, storedAccess } from "../device/conference-record.ts"
import { forgetOwn, locksOf } from "../device/kept-conferences.ts"
import type { ConferenceConfig } from "./conference-parameters.ts"
import { ConferenceRuntime } from "./conference-runtime.ts"
import { Directory, type FoundConference } from "./directory.ts"
import type { EngineOptions } from "./engine.ts"
import { loadCryptography } from "../platform/cryptography.ts"
import { acquireLock } from "../queues/exclusive-lock.ts"
import { makeConference, type Maker, listConference, scheduleConference } from "./make-conference.ts"
import type { BatchTaken, ConferenceInfo, EngineCalls } from "../rpc/protocol.ts"
import { type Onlooker, previewOf } from "../admission/preview.ts"
import { assertHasModules, cipherNamed, ownAgreement } from "./own-modules.ts"
import { Ticker } from "./ticker.ts"
import { assertNotOver, assertOpen, conferenceOver, CLOCKS_BEHIND_MS } from "./time-frame.ts"

/** Upper limit of simultaneous conferences of one engine. */
export const CONFERENCES_MAX = 16

/** Own identity and the people that it has verified. */
type Entrant = { readonly identity: OwnIdentity; readonly people: VerifiedPeople }

type Options = EngineOptions & { readonly traceSink: TraceSink }

type Running = {
  readonly runtime: ConferenceRuntime
  readonly server: string
  /** False for a copy on this device. */
  readonly connected: boolean
  readonly copy: LocalCopy
  readonly record: ConferenceRecord
  readonly release: () => void
  /** Deletion of the stored data, once it has begun. */
  deletion?: Promise<KeymootError | null>
}
/**
 * `created`: this identity created the conference just now, so no other member can be present. `connected`: false for
 * the copy on this device. `late`: enters even after an early end that the creator has announced; false unless given.
 */
type Entering = {
  readonly created: boolean
  readonly connected: boolean
  readonly late?: boolean
  readonly localCopy: boolean
  readonly transportPolicy: IceTransportPolicy
}

export class Conferences {
  readonly #options: Options
  readonly #checker: MemberCredentialChecker
  readonly #directory: Directory
  readonly #entrant: () => Entrant
  readonly #running = new Map<string, Running>()
  #connectionIds = 0
  readonly #ticker = new Ticker((nowMs) => {
    const connected = this.#connected()
    for (const runtime of connected) runtime.tick(nowMs)
    return Math.min(...connected.map(({ nextTickMs }) => nextTickMs))
  })

  /** `entrant` throws a KeymootError while no identity is open. */
  constructor(options: Options, checker: MemberCredentialChecker, entrant: () => Entrant) {
    this.#options = options
    this.#checker = checker
    this.#entrant = entrant
    this.#directory = new Directory((command) => options.sink.take({ type: "host", command }))
  }

  /** Call it before each input of any kind. */
  rouse(): void {
    this.#ticker.rouse()
  }

  get count(): number {
    return this.#running.size
  }

  /** @throws KeymootError `closed` */
  runtime({ id }: { readonly id: string }): ConferenceRuntime {
    const running = this.#running.get(id)
    if (!running) throw new KeymootError("closed", "You are no longer in this conference. Join it again.")
    return running.runtime
  }

  /** As `runtime`, for acts on others. @throws KeymootError `closed`, `not-permitted` in the copy on this device */
  live({ id }: { readonly id: string }): ConferenceRuntime {
    const runtime = this.runtime({ id })
    if (this.#running.get(id)!.connected) return runtime
    const message = "This copy on the device can only be read. Enter the conference with Conference.resume."
    throw new KeymootError("not-permitted", message)
  }

  runtimeIfOpen(id: string): ConferenceRuntime | null {
    return this.#running.get(id)?.runtime ?? null
  }

  runtimes(): ConferenceRuntime[] {
    return Array.from(this.#running.values(), ({ runtime }) => runtime)
  }

  #connected(): ConferenceRuntime[] {
    return [...this.#running.values()].flatMap(({ runtime, connected }) => (connected ? [runtime] : []))
  }

  /** The application's thread has processed a batch. The conference may be over by now. */
  taken(batch: BatchTaken): void {
    this.#running.get(batch.id)?.runtime.layers.page.taken(batch)
  }

  handleHost(event: HostEvent): void {
    // Events of a connection, such as frames, concern no server.
    if (!("connectionId" in event)) this.#directory.handle(event)
    for (const runtime of this.#connected()) runtime.handleHost(event)
  }

  async create(params: EngineCalls["conference.create"]["params"]): Promise<ConferenceInfo> {
    const times = { startsAtMs: Date.now(), leewayMs: CLOCKS_BEHIND_MS }
    const { localCopy, transportPolicy } = params
    assertHasModules(this.#options, params)
    return makeConference({ ...params, ...times }, this.#maker(), (invitation, bytes) =>
      this.#enter(
        invitation,
        { descriptor: bytes, end: null },
        { created: true, connected: true, localCopy, transportPolicy },
      ),
    )
  }

  async schedule(params: EngineCalls["conference.schedule"]["params"]): Promise<ScheduledConference> {
    return scheduleConference(params, this.#options, this.#maker())
  }

  async createListed(
    params: EngineCalls["directory.create"]["params"],
  ): Promise<EngineCalls["directory.create"]["result"]> {
    return listConference(params, this.#options, this.#maker())
  }

  #maker(): Maker {
    return { identity: this.#entrant().identity, checker: this.#checker, directory: this.#directory }
  }

  async join({ url, ...how }: EngineCalls["conference.join"]["params"]): Promise<ConferenceInfo> {
    const invitation = parseInvitation(url)
    // Checks before any request to the server, and again after its answer, because another tab may have entered
    // meanwhile.
    assertSameConference(await this.#options.store.loadInvitation(invitation.conferenceId), invitation)
    return this.#fetchAndEnter(invitation, { ...how, created: false, connected: true, late: false })
  }

  async resume({ id, late, ...how }: EngineCalls["conference.resume"]["params"]): Promise<ConferenceInfo> {
    const { invitation, descriptor: bytes, statements } = await storedAccess(this.#options.store, id)
    // The server may have deleted its copy of one that is over.
    if (bytes) {
      const descriptor = await openDescriptor(bytes, invitation, this.#checker, Date.now())
      const endsAtMs = late ? descriptor.expiresAtMs : await knownEnd(descriptor, statements, this.#checker)
      assertNotOver(endsAtMs, Date.now())
    }
    return this.#fetchAndEnter(invitation, { ...how, created: false, connected: true, late })
  }

  /** Opens this device's copy without a connection: nothing is sent, received or ticked. */
  async openKept({ id }: EngineCalls["conference.openKept"]["params"]): Promise<ConferenceInfo> {
    const { invitation, descriptor } = await storedAccess(this.#options.store, id)
    if (!descriptor) throw noInvitation()
    const how = { created: false, connected: false, localCopy: true, transportPolicy: "all" } as const
    return this.#enter(invitation, { descriptor, end: null }, how)
  }

  /** Reads a conference without entering it. Only the directory server learns of the request. */
  async preview(url: string, onlooker: Onlooker | null): Promise<ConferencePreview> {
    const invitation = parseInvitation(url)
    return this.#directory.during(invitation.server, async () => {
      const found = await this.#directory.fetchConference(invitation.server, invitation.conferenceId, true)
      const descriptor = await openDescriptor(found.descriptor, invitation, this.#checker, Date.now())
      assertNotOver(descriptor.expiresAtMs, Date.now())
      assertHasModules(this.#options, descriptor)
      const end = await announcedEarlyEnd(found.end, descriptor, this.#checker, Date.now())
      return previewOf(descriptor, end && endedAt(end, Date.now()), onlooker)
    })
  }

  /** Retries the connection now instead of after the backoff. @throws KeymootError `closed` */
  reconnect({ id }: { readonly id: string }): void {
    this.runtime({ id }).layers.network.mesh.announce()
    const { server, connected } = this.#running.get(id)!
    if (connected) this.#directory.retry(server)
  }

  async #fetchAndEnter(invitation: Invitation, how: Entering): Promise<ConferenceInfo> {
    this.#entrant()
    return this.#directory.during(invitation.server, async () => {
      const found = await this.#directory.fetchConference(invitation.server, invitation.conferenceId, how.late)
      return this.#enter(invitation, found, how)
    })
  }

  async #enter(
    invitation: Invitation,
    { descriptor: bytes, end }: FoundConference,
    how: Entering,
  ): Promise<ConferenceInfo> {
    const descriptor = await openDescriptor(bytes, invitation, this.#checker, Date.now())
    const announced = await announcedEarlyEnd(end, descriptor, this.#checker, Date.now())
    if (announced && !how.late) throw conferenceOver()
    const announcedEndMs = announced?.endsAtMs ?? null
    if (how.connected) {
      assertOpen(descriptor, Date.now())
      assertNotOver(descriptor.expiresAtMs, Date.now())
    }
    assertHasModules(this.#options, descriptor)
    const { identity: own } = this.#entrant()
    const identity = await admitted(own, descriptor, Date.now(), how.connected)
    const { conferenceId: id } = descriptor
    if (this.#running.size >= CONFERENCES_MAX) {
      throw new KeymootError("invalid-argument", `You are in ${CONFERENCES_MAX} conferences. Leave one first.`)
    }
    // A renamed identity is another member, and it has the same copy on this device.
    const unlock = this.#running.has(id) ? null : await acquireLock(locksOf(identity.publicKey) + id)
    if (!unlock) {
      const message = "You are in this conference already, in another tab or window. Go on there, or close it first."
      throw new KeymootError("already-open", message)
    }
    try {
      // A list or an authority may have given it another name for this conference.
      const as = { name: own.name, identity: own.id }
      const record = await ConferenceRecord.open(this.#options.store, invitation, bytes, as)
      return await this.#start(invitation, record, descriptor, { ...how, announcedEndMs }, identity, unlock)
    } catch (error) {
      unlock()
      throw error
    }
  }

  async #start(
    invitation: Invitation,
    record: ConferenceRecord,
    descriptor: Descriptor,
    {
      created,
      connected,
      announcedEndMs,
      localCopy,
      transportPolicy,
    }: Entering & Pick<ConferenceConfig, "announcedEndMs">,
    identity: OwnIdentity,
    unlock: () => void,
  ): Promise<ConferenceInfo> {
    const { conferenceId: id } = descriptor
    const cryptography = await loadCryptography()
    const copy = new LocalCopy(this.#options.store.copies, identity.publicKey, id)
    const runtime = new ConferenceRuntime({
      descriptor,
      invitation,
      record,
      identity,
      checker: this.#checker,
      people: this.#entrant().people,
      cryptography,
      cipher: await cipherNamed(descriptor.cipher, this.#options, cryptography.hopCipher),
      ownAgreement: ownAgreement(descriptor.keyAgreement, this.#options),
      transportPolicy,
      created,
      announcedEndMs,
      meshMax: this.#options.meshMax,
      connected,
      host: {
        nextConnection: () => ++this.#connectionIds as ConnectionId,
        nextRequest: () => this.#directory.nextRequest(),
        post: (command) => connected && this.#options.sink.take({ type: "host", command }),
      },
      sink: {
        take: (event) => {
          if (event.type === "closed") void this.#onClosed(id, event)
          else this.#options.sink.take({ type: "event", id, event })
        },
      },
      copy: localCopy ? copy : null,
      files: { shelf: copy.id, blocks: localCopy ? this.#options.store.files : createMemoryBlockStore() },
      // Looks at `Date` at each call: a test replaces it.
      clock: { now: () => Date.now() },
      traceSink: this.#options.traceSink,
    })
    await runtime.restore()
    const { server } = invitation
    this.#running.set(id, { runtime, server, connected, copy, record, release: unlock })
    if (!connected) return runtime.info
    this.#directory.use(invitation.server)
    this.#ticker.start()
    runtime.tick(performance.now())
    runtime.handleHost(this.#directory.state(invitation.server))
    return runtime.info
  }

  /** @throws KeymootError as `Hosting.setEnd`, `closed` */
  async setEnd({ id, endsAtMs }: EngineCalls["conference.setEnd"]["params"]): Promise<void> {
    const runtime = this.live({ id })
    const { server } = this.#running.get(id)!
    const end = await runtime.layers.admission.hosting.setEnd(endsAtMs, Date.now())
    if (end) void this.#directory.announceEnd(server, id, end)
  }

  async leave({ id, forget }: EngineCalls["conference.leave"]["params"]): Promise<void> {
    const running = this.#running.get(id)
    if (!forget || (forget === "if-new" && !running?.record.isNew)) return running?.runtime.close("left")
    // It is over for this member, and its copy may be here.
    if (!running) return forgetOwn(this.#options.store, this.#entrant().identity, id)
    // Beside the farewell: until that arrives, others encrypt for this member.
    running.deletion = this.#deleteData(running)
    await running.runtime.close("left")
    const failure = await running.deletion
    if (failure) throw failure
  }

  /** If this person leaves, or a host has shut it out, the stored data is of no further use. */
  async #onClosed(id: string, event: { readonly type: "closed"; readonly reason: ClosedReason }): Promise<void> {
    const running = this.#running.get(id)
    this.#running.delete(id)
    if (this.#running.size === 0) this.#ticker.stop()
    if (running && (event.reason === "removed" || event.reason === "refused"))
      running.deletion = this.#deleteData(running)
    if (running?.deletion) {
      const state = (await running.deletion) ? "failing" : "off"
      this.#options.sink.take({ type: "event", id, event: { type: "storage", state } })
    }
    running?.release()
    if (running?.connected) this.#directory.release(running.server)
    this.#options.sink.take({ type: "event", id, event })
  }

  /** Completes before the page hears of the end, because the page may terminate this engine at once. */
  async #deleteData({ record, copy, runtime }: Running): Promise<KeymootError | null> {
    const deletions = await Promise.allSettled([record.forget(), copy.forget(), runtime.layers.files.forget()])
    const failed = deletions.find(({ status }) => status === "rejected")
    return failed ? storageUnavailable((failed as PromiseRejectedResult).reason) : null
  }
}
