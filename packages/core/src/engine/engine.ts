/**
 * Everything that holds secrets: one identity and its conferences, in a worker in browsers and in the process in Node.
 * Requests come in as messages, and so do the host's events; replies, events and commands to the host go out.
 */
import type { PrimeOrderGroup } from "@keymoot/gke"
import type { HostEvent, IceServer, LinkNumber } from "@keymoot/transport/host"
import { KeymootError } from "../api.ts"
import {
  createDescriptor,
  type Descriptor,
  normalizeServer,
  openDescriptor,
  parseInvitation,
  type Invitation,
} from "../conference/index.ts"
import {
  createCredentialChecker,
  openIdentity,
  type IdentityStore,
  type InvitationRecord,
  type OwnIdentity,
} from "../identity/index.ts"
import { createSession } from "./create-session.ts"
import { Directory } from "./directory.ts"
import { acquireLock } from "./exclusive-lock.ts"
import type { ConferenceInfo, EngineCall, EngineCalls, EngineRequest, FromEngine, ToEngine } from "./protocol.ts"
import type { Session } from "./session.ts"

const TICK_MS = 50
/** Epoch numbers reserved at a time: a life that ends without a word has used at most these, and the next skips them. */
const EPOCH_BLOCK = 8
/** Conferences of one engine at once. */
export const CONFERENCES_MAX = 16

export type EngineOptions = {
  readonly store: IdentityStore
  readonly primeGroup: PrimeOrderGroup
  readonly iceServers: readonly IceServer[]
  readonly post: (message: FromEngine) => void
}

type Running = { readonly session: Session; readonly server: string; readonly release: () => void }

export class Engine {
  readonly #options: EngineOptions
  readonly #checker = createCredentialChecker()
  readonly #directory: Directory
  readonly #running = new Map<string, Running>()
  readonly #withdraw = new Map<number, () => boolean>()
  #identity: OwnIdentity | null = null
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
      case "conference.leave":
        return this.#leave(take)
    }
  }

  async #open({ name }: EngineCalls["identity.open"]["params"]): Promise<EngineCalls["identity.open"]["result"]> {
    if (this.#running.size > 0 && name !== this.#identity?.name) {
      throw new KeymootError("invalid-argument", "Leave your conferences before you take another name.")
    }
    this.#identity = await openIdentity({ name, store: this.#options.store })
    const { member, fingerprint } = this.#identity
    return { name: this.#identity.name, member, fingerprint }
  }

  async #create(params: EngineCalls["conference.create"]["params"]): Promise<ConferenceInfo> {
    const creator = this.#own()
    const server = normalizeServer(params.server)
    const { bytes, invitation } = await createDescriptor({ ...params, server, creator, startsAtMs: Date.now() })
    this.#directory.use(server)
    try {
      await this.#directory.create(server, invitation.conferenceId, bytes, Date.now() + params.durationMs)
      return await this.#enter(invitation, bytes, true)
    } finally {
      this.#directory.release(server)
    }
  }

  async #join({ url }: EngineCalls["conference.join"]["params"]): Promise<ConferenceInfo> {
    return this.#fetchAndEnter(parseInvitation(url))
  }

  async #resume({ id }: EngineCalls["conference.resume"]["params"]): Promise<ConferenceInfo> {
    const record = await this.#options.store.loadInvitation(id)
    if (!record) {
      const message = "This device has no key for this conference. Open it with its whole invitation link."
      throw new KeymootError("no-invitation", message)
    }
    return this.#fetchAndEnter(record)
  }

  async #fetchAndEnter(invitation: Invitation): Promise<ConferenceInfo> {
    this.#own()
    this.#directory.use(invitation.server)
    try {
      const bytes = await this.#directory.fetchDescriptor(invitation.server, invitation.conferenceId)
      return await this.#enter(invitation, bytes, false)
    } finally {
      this.#directory.release(invitation.server)
    }
  }

  async #enter(invitation: Invitation, descriptorBytes: Uint8Array, created: boolean): Promise<ConferenceInfo> {
    const identity = this.#own()
    const descriptor = await openDescriptor(descriptorBytes, invitation, this.#checker, Date.now())
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
      return await this.#start(invitation, descriptor, created, identity, unlock)
    } catch (error) {
      unlock()
      throw error
    }
  }

  async #start(
    invitation: Invitation,
    descriptor: Descriptor,
    created: boolean,
    identity: OwnIdentity,
    unlock: () => void,
  ): Promise<ConferenceInfo> {
    const { conferenceId: id } = descriptor
    const record = await this.#nextLife(invitation)
    const session = createSession({
      descriptor,
      invitation,
      record,
      identity,
      checker: this.#checker,
      primeGroup: this.#options.primeGroup,
      iceServers: this.#options.iceServers,
      created,
      post: (command) => this.#options.post({ type: "host", command }),
      nextLink: () => ++this.#links as LinkNumber,
      nextRequest: () => this.#directory.nextRequest(),
      emit: (event) => {
        this.#options.post({ type: "event", id, event })
        if (event.type === "closed") this.#forget(id)
      },
      usedEpoch: (epoch) => this.#reserve(record, epoch),
      now: Date.now,
    })
    this.#directory.use(invitation.server)
    this.#running.set(id, { session, server: invitation.server, release: unlock })
    this.#startTicking()
    session.tick(performance.now())
    const state = this.#directory.state(invitation.server)
    session.mesh.handle({ type: "bootstrap-state", server: invitation.server, state })
    return session.info
  }

  /** Epochs up to `epochBlock` may have been used by earlier lives; this one reserves the next block before it begins. */
  async #nextLife(invitation: Invitation): Promise<InvitationRecord> {
    const { store } = this.#options
    const former = await store.loadInvitation(invitation.conferenceId)
    const epochBlock = former?.epochBlock ?? 0
    const incarnation = Math.max(Date.now(), (former?.incarnation ?? 0) + 1)
    const record = { ...invitation, epochBlock, incarnation }
    await store.saveInvitation({ ...record, epochBlock: epochBlock + EPOCH_BLOCK })
    this.#reserved.set(invitation.conferenceId, epochBlock + EPOCH_BLOCK)
    return record
  }
  readonly #reserved = new Map<string, number>()

  #reserve(record: InvitationRecord, epoch: number): void {
    const reserved = this.#reserved.get(record.conferenceId)
    // Who has left has forgotten the invitation, and a view on the way out must not bring it back.
    if (reserved === undefined || epoch < reserved - EPOCH_BLOCK / 2) return
    this.#reserved.set(record.conferenceId, epoch + EPOCH_BLOCK)
    // A full disk must not end a conference; the incarnation keeps lives apart all the same.
    this.#options.store.saveInvitation({ ...record, epochBlock: epoch + EPOCH_BLOCK }).catch(() => undefined)
  }

  async #send(
    request: number,
    params: EngineCalls["conference.send"]["params"],
  ): Promise<EngineCalls["conference.send"]["result"]> {
    return this.#session(params).send(params, ({ withdraw }) => void this.#withdraw.set(request, withdraw))
  }

  async #pairCode(params: EngineCalls["conference.pairCode"]["params"]): Promise<string> {
    return this.#session(params).pairCode(params.member)
  }

  async #leave({ id }: EngineCalls["conference.leave"]["params"]): Promise<null> {
    this.#reserved.delete(id)
    await this.#options.store.deleteInvitation(id)
    await this.#running.get(id)?.session.close("left")
    return null
  }

  #abort(request: number): void {
    if (!this.#withdraw.get(request)?.()) return
    this.#withdraw.delete(request)
    this.#options.post({ type: "reply", request, ok: false, code: "aborted", message: "The message was withdrawn." })
  }

  #onHost(event: HostEvent): void {
    this.#directory.handle(event)
    for (const { session } of this.#running.values()) session.mesh.handle(event)
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
