/**
 * Everything that holds secrets: one identity and its conferences, in a worker in browsers and in the process in Node.
 * Requests come in as messages, and so do the host's events; replies, events and commands to the host go out.
 */
import type { HostEvent, IceServer, IceTransportPolicy, LinkNumber } from "@keymoot/transport/host"
import { type ClosedReason, KeymootError, type PairCode, type Person, type ScanResult } from "../api.ts"
import {
  createDescriptor,
  type Descriptor,
  normalizeServer,
  openDescriptor,
  parseInvitation,
  type Invitation,
} from "../conference/index.ts"
import {
  checkScan,
  createCredentialChecker,
  formatCard,
  openIdentity,
  parseCard,
  pairCodeOf,
  type IdentityStore,
  type OwnIdentity,
  storageUnavailable,
  VerifiedPeople,
} from "../identity/index.ts"
import { createMemoryBlockStore } from "../files/index.ts"
import { LocalCopy } from "../local-copies/index.ts"
import { ConferenceRecord } from "./conference-record.ts"
import { createSession } from "./create-session.ts"
import { personOf } from "./admission.ts"
import { admissionFor, admitted, creatorOf } from "./admitted.ts"
import type { Cryptography } from "./cryptography.ts"
import { Directory } from "./directory.ts"
import { exchangeFiles } from "./exchange-files.ts"
import { actAsHost, type HostCall } from "./act-as-host.ts"
import { manageIdentities } from "./manage-identities.ts"
import { acquireLock } from "./exclusive-lock.ts"
import type { ConferenceInfo, EngineCall, EngineCalls, EngineRequest, FromEngine, ToEngine } from "./protocol.ts"
import type { Session } from "./session.ts"

const TICK_MS = 50
/** Conferences of one engine at once. */
export const CONFERENCES_MAX = 16

export type EngineOptions = {
  readonly store: IdentityStore
  readonly cryptography: Cryptography
  readonly iceServers: readonly IceServer[]
  readonly post: (message: FromEngine) => void
}

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

export class Engine {
  readonly #options: EngineOptions
  readonly #checker = createCredentialChecker()
  readonly #directory: Directory
  readonly #running = new Map<string, Running>()
  readonly #withdraw = new Map<number, () => boolean>()
  #identity: OwnIdentity | null = null
  /** Of the identity, and there as soon as that is. */
  #people: VerifiedPeople | null = null
  #links = 0
  #timer: ReturnType<typeof setInterval> | null = null

  constructor(options: EngineOptions) {
    this.#options = options
    this.#directory = new Directory((command) => options.post({ type: "host", command }))
  }

  handle(message: ToEngine): void {
    if (message.type === "host") this.#onHost(message.event)
    else if (message.type === "abort") this.#abort(message.request)
    else void this.#answer(message)
  }

  /** Ends all conferences; invitations are kept for the next start. */
  async close(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ session }) => session.close("left")))
  }

  async #answer({ request, ...rest }: EngineRequest): Promise<void> {
    try {
      const result = await this.#call(request, rest as EngineRequest)
      this.#options.post({ type: "reply", request, ok: true, result })
    } catch (error) {
      const known = error instanceof KeymootError ? error : null
      const message = known?.message ?? `Keymoot failed unexpectedly (${String(error)}). Reload and try again.`
      this.#options.post({ type: "reply", request, ok: false, code: known?.code ?? "internal", message })
    } finally {
      this.#withdraw.delete(request)
    }
  }

  #call(
    request: number,
    { call, params }: Pick<EngineRequest, "call" | "params">,
  ): Promise<EngineCalls[EngineCall]["result"]> {
    const take = params as never
    switch (call) {
      case "identity.stored":
        return this.#options.store.load().then((record) => record?.name ?? null)
      case "identity.open":
        return this.#open(take)
      case "identity.list":
      case "identity.create":
      case "identity.restore":
      case "identity.rename":
      case "identity.choose":
      case "identity.certificateRequest":
      case "identity.certify":
      case "identity.remove":
        return manageIdentities(this.#options.store, call, take)
      case "card.read":
        return this.#readCard(take)
      case "conference.create":
        return this.#create(take)
      case "conference.join":
        return this.#join(take)
      case "conference.resume":
        return this.#resume(take)
      case "conference.send":
        return this.#send(request, take)
      case "conference.code":
        return Promise.resolve(this.#session(take).conferenceCode())
      case "conference.pairCode":
        return this.#pairCode(take)
      case "conference.checkScan":
        return this.#checkScan(take)
      case "conference.verify":
        return this.#verify(take)
      case "conference.keyStructure":
        return Promise.resolve(this.#session(take).keyStructure())
      case "conference.refreshKey":
        return this.#refreshKey(take)
      case "conference.remove":
      case "conference.setRole":
      case "conference.admit":
      case "conference.refuse":
        return this.#host(call, take)
      case "conference.leave":
        return this.#leave(take)
      case "file.offer":
      case "file.fetch":
      case "file.kept":
      case "file.read":
      case "file.remove":
        return this.#abortable(request, (signal) => exchangeFiles(this.#session(take).files, call, take, signal))
      case "copy.read":
        return this.#readCopy(take)
      case "copy.write":
        return this.#writeCopy(take)
    }
  }

  async #open({ name, id }: EngineCalls["identity.open"]["params"]): Promise<EngineCalls["identity.open"]["result"]> {
    if (this.#running.size > 0 && name !== this.#identity?.name) {
      throw new KeymootError("invalid-argument", "Leave your conferences before you take another name.")
    }
    const { store } = this.#options
    const identity = await openIdentity({ name, store, ...(id !== null && { id }) })
    const { signer, publicKey, member, fingerprint } = identity
    this.#people = await VerifiedPeople.open({ store, id: identity.id, signer, publicKey, checker: this.#checker })
    this.#identity = identity
    return { name: identity.name, member, fingerprint, card: formatCard(identity.certificate) }
  }

  async #readCard({ text }: EngineCalls["card.read"]["params"]): Promise<Person> {
    return personOf(await parseCard(text, this.#checker))
  }

  async #create(params: EngineCalls["conference.create"]["params"]): Promise<ConferenceInfo> {
    const server = normalizeServer(params.server)
    const startsAtMs = Date.now()
    const admission = await admissionFor(params.admission, this.#checker, startsAtMs)
    const creator = await creatorOf(this.#own(), admission, startsAtMs)
    const { bytes, invitation } = await createDescriptor({ ...params, admission, server, creator, startsAtMs })
    this.#directory.use(server)
    try {
      await this.#directory.create(server, invitation.conferenceId, bytes, Date.now() + params.durationMs)
      const { localCopy, transportPolicy } = params
      return await this.#enter(invitation, bytes, { created: true, localCopy, transportPolicy })
    } finally {
      this.#directory.release(server)
    }
  }

  async #join({ url, ...how }: EngineCalls["conference.join"]["params"]): Promise<ConferenceInfo> {
    return this.#fetchAndEnter(parseInvitation(url), { ...how, created: false })
  }

  async #resume({ id, ...how }: EngineCalls["conference.resume"]["params"]): Promise<ConferenceInfo> {
    const record = await this.#options.store.loadInvitation(id)
    if (!record) {
      const message = "This device has no key for this conference. Open it with its whole invitation link."
      throw new KeymootError("no-invitation", message)
    }
    return this.#fetchAndEnter({ ...record, roomKey: record.roomKey ?? null }, { ...how, created: false })
  }

  async #fetchAndEnter(invitation: Invitation, how: Entering): Promise<ConferenceInfo> {
    this.#own()
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
    const identity = await admitted(this.#own(), descriptor, Date.now())
    const { conferenceId: id } = descriptor
    if (this.#running.size >= CONFERENCES_MAX) {
      throw new KeymootError("invalid-argument", `You are in ${CONFERENCES_MAX} conferences. Leave one first.`)
    }
    const unlock = this.#running.has(id) ? null : await acquireLock(`keymoot ${identity.fingerprint} ${id}`)
    if (!unlock) {
      const message = "You are in this conference already, in another tab or window. Go on there, or close it first."
      throw new KeymootError("already-open", message)
    }
    try {
      return await this.#start(invitation, descriptor, how, identity, unlock)
    } catch (error) {
      unlock()
      throw error
    }
  }

  async #start(
    invitation: Invitation,
    descriptor: Descriptor,
    { created, localCopy, transportPolicy }: Entering,
    identity: OwnIdentity,
    unlock: () => void,
  ): Promise<ConferenceInfo> {
    const { conferenceId: id } = descriptor
    const record = await ConferenceRecord.open(this.#options.store, invitation)
    const copy = new LocalCopy(this.#options.store.copies, identity.publicKey, id)
    const session = createSession({
      descriptor,
      invitation,
      record,
      identity,
      checker: this.#checker,
      people: this.#people!,
      cryptography: this.#options.cryptography,
      iceServers: this.#options.iceServers,
      transportPolicy,
      created,
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

  async #send(
    request: number,
    params: EngineCalls["conference.send"]["params"],
  ): Promise<EngineCalls["conference.send"]["result"]> {
    return this.#session(params).send(params, ({ withdraw }) => void this.#withdraw.set(request, withdraw))
  }

  async #pairCode(params: EngineCalls["conference.pairCode"]["params"]): Promise<PairCode> {
    return pairCodeOf(this.#own().publicKey, this.#session(params).otherThanSelf(params.member).publicKey)
  }

  async #checkScan(params: EngineCalls["conference.checkScan"]["params"]): Promise<ScanResult> {
    const { publicKey } = this.#session(params).otherThanSelf(params.member)
    return checkScan(params.text, this.#own().publicKey, publicKey)
  }

  async #verify(params: EngineCalls["conference.verify"]["params"]): Promise<null> {
    const { publicKey, name } = this.#session(params).otherThanSelf(params.member)
    await (params.verified ? this.#people!.verify(publicKey, name, Date.now()) : this.#people!.unverify(publicKey))
    for (const { session } of this.#running.values()) session.onVerified()
    return null
  }

  async #refreshKey(params: EngineCalls["conference.refreshKey"]["params"]): Promise<null> {
    this.#session(params).refreshKey()
    return null
  }

  async #host(call: HostCall, params: EngineCalls[HostCall]["params"]): Promise<null> {
    const session = this.#session(params)
    await actAsHost(session, call, params)
    return null
  }

  async #leave({ id }: EngineCalls["conference.leave"]["params"]): Promise<null> {
    const running = this.#running.get(id)
    await (running ? running.record.forget() : this.#options.store.deleteInvitation(id))
    // First: whoever hears that the conference is closed may end this engine at once.
    const forgotten = running && Promise.all([running.copy.forget(), running.session.files.forget()])
    const failure = await forgotten?.then(() => null, storageUnavailable)
    await running?.session.close("left")
    if (failure) throw failure
    return null
  }

  async #readCopy({ part, ...params }: EngineCalls["copy.read"]["params"]): Promise<Uint8Array[]> {
    return this.#session(params).readCopy(part)
  }

  async #writeCopy(params: EngineCalls["copy.write"]["params"]): Promise<boolean> {
    return this.#session(params).writeCopy(params)
  }

  /** What is called off rejects by itself. */
  async #abortable<T>(request: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const calledOff = new AbortController()
    this.#withdraw.set(request, () => {
      calledOff.abort()
      return false
    })
    return call(calledOff.signal)
  }

  #abort(request: number): void {
    if (!this.#withdraw.get(request)?.()) return
    this.#withdraw.delete(request)
    this.#options.post({ type: "reply", request, ok: false, code: "aborted", message: "The message was withdrawn." })
  }

  #onHost(event: HostEvent): void {
    this.#directory.handle(event)
    for (const { session } of this.#running.values()) session.handleHost(event)
  }

  /** With a host's word against it no invitation is of use. */
  #onClosed(id: string, reason: ClosedReason): void {
    const running = this.#running.get(id)
    if (reason === "removed" || reason === "refused") {
      running?.record.forget().catch(() => undefined)
      running?.copy.forget().catch(() => undefined)
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

  #session({ id }: { readonly id: string }): Session {
    const running = this.#running.get(id)
    if (!running) throw new KeymootError("closed", "This conference is over for you. Join it again.")
    return running.session
  }

  #own(): OwnIdentity {
    if (!this.#identity) throw new KeymootError("invalid-argument", "Open an identity first: Identity.open({ name }).")
    return this.#identity
  }
}
