/**
 * Everything that holds secrets: one identity and its conferences, in a worker in browsers and in the process in Node.
 * Requests come in as messages, and so do the host's events; replies, events and commands to the host go out.
 */
import type { IceServer } from "@keymoot/transport/host"
import { type ConferencePreview, KeymootError, type PairCode, type Person, type ScanResult } from "../api.ts"
import {
  checkScan,
  createCredentialChecker,
  formatCard,
  openIdentity,
  parseCard,
  pairCodeOf,
  type IdentityStore,
  type OwnIdentity,
  VerifiedPeople,
} from "../identity/index.ts"
import { actAsHost, type HostCall } from "./act-as-host.ts"
import { personOf } from "./admission.ts"
import { Conferences } from "./conferences.ts"
import type { Cryptography } from "./cryptography.ts"
import { exchangeFiles } from "./exchange-files.ts"
import { forgetKept, listKept } from "./kept-conferences.ts"
import { manageIdentities } from "./manage-identities.ts"
import { payloadsOf, type SentRun } from "./message-runs.ts"
import type { Fate } from "./outbox.ts"
import { chosenOnlooker } from "./preview.ts"
import type { EngineCall, EngineCalls, EngineRequest, FromEngine, ToEngine } from "./protocol.ts"

const WITHDRAWN = { code: "aborted", message: "The message was withdrawn.", opensAtMs: null } as const

export type EngineOptions = {
  readonly store: IdentityStore
  readonly cryptography: Cryptography
  readonly iceServers: readonly IceServer[]
  readonly post: (message: FromEngine) => void
  /** Up to so many members there is a link with everybody; 24 unless given. */
  readonly meshMax?: number | undefined
}

export class Engine {
  readonly #options: EngineOptions
  readonly #checker = createCredentialChecker()
  readonly #conferences: Conferences
  readonly #withdraw = new Map<number, () => boolean>()
  #identity: OwnIdentity | null = null
  /** Of the identity, and there as soon as that is. */
  #people: VerifiedPeople | null = null

  constructor(options: EngineOptions) {
    this.#options = options
    this.#conferences = new Conferences(options, this.#checker, () => ({
      identity: this.#own(),
      people: this.#people!,
    }))
  }

  handle(message: ToEngine): void {
    if (message.type === "host") this.#conferences.handleHost(message.event)
    else if (message.type === "abort") this.#abort(message.request)
    else if (message.type === "send") this.#send(message)
    else void this.#answer(message)
  }

  /** Ends all conferences; invitations are kept for the next start. */
  async close(): Promise<void> {
    await Promise.all(this.#conferences.sessions().map((session) => session.close("left")))
  }

  async #answer({ request, ...rest }: EngineRequest): Promise<void> {
    try {
      const result = await this.#call(request, rest as EngineRequest)
      this.#settle(request, result)
    } catch (error) {
      this.#fail(request, error)
    }
  }

  #settle(request: number, result: EngineCalls[EngineCall]["result"]): void {
    this.#withdraw.delete(request)
    this.#options.post({ type: "reply", request, ok: true, result })
  }

  #fail(request: number, error: unknown): void {
    const known = error instanceof KeymootError ? error : null
    const message = known?.message ?? `Keymoot failed unexpectedly (${String(error)}). Reload and try again.`
    const opensAtMs = known?.opensAtMs ?? null
    this.#withdraw.delete(request)
    this.#options.post({ type: "reply", request, ok: false, code: known?.code ?? "internal", message, opensAtMs })
  }

  #call(
    request: number,
    { call, params }: Pick<EngineRequest, "call" | "params">,
  ): Promise<EngineCalls[EngineRequest["call"]]["result"]> {
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
        return this.#conferences.create(take)
      case "conference.schedule":
        return this.#conferences.schedule(take)
      case "conference.join":
        return this.#conferences.join(take)
      case "conference.resume":
        return this.#conferences.resume(take)
      case "conference.preview":
        return this.#preview(take)
      case "conference.kept":
        return listKept(this.#options.store, this.#checker, Date.now())
      case "conference.forget":
        return this.#forget(take)
      case "conference.reconnect":
        return this.#reconnect(take)
      case "conference.erase":
        return this.#erase(take)
      case "conference.code":
        return Promise.resolve(this.#conferences.session(take).conferenceCode())
      case "conference.pairCode":
        return this.#pairCode(take)
      case "conference.checkScan":
        return this.#checkScan(take)
      case "conference.verify":
        return this.#verify(take)
      case "conference.keyStructure":
        return Promise.resolve(this.#conferences.session(take).keyStructure())
      case "conference.refreshKey":
        return this.#refreshKey(take)
      case "conference.remove":
      case "conference.setRole":
      case "conference.admit":
      case "conference.refuse":
        return this.#host(call, take)
      case "conference.leave":
        return this.#conferences.leave(take)
      case "file.offer":
      case "file.fetch":
      case "file.kept":
      case "file.read":
      case "file.remove":
        return this.#abortable(request, (signal) =>
          exchangeFiles(this.#conferences.session(take).files, call, take, signal),
        )
      case "copy.read":
        return this.#readCopy(take)
      case "copy.write":
        return this.#writeCopy(take)
    }
  }

  async #open({ name, id }: EngineCalls["identity.open"]["params"]): Promise<EngineCalls["identity.open"]["result"]> {
    if (this.#conferences.count > 0 && name !== this.#identity?.name) {
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

  async #preview({ url }: EngineCalls["conference.preview"]["params"]): Promise<ConferencePreview> {
    const own = this.#identity && this.#people && { publicKey: this.#identity.publicKey, people: this.#people }
    return this.#conferences.preview(url, own ?? (await chosenOnlooker(this.#options.store, this.#checker)))
  }

  async #forget({ id }: EngineCalls["conference.forget"]["params"]): Promise<null> {
    await forgetKept(this.#options.store, id)
    return null
  }

  async #reconnect(params: EngineCalls["conference.reconnect"]["params"]): Promise<null> {
    this.#conferences.reconnect(params)
    return null
  }

  #send(run: SentRun): void {
    const { id, channel, kind, service } = run
    for (const [i, payload] of payloadsOf(run).entries()) {
      const request = run.first + i
      try {
        const params = { id, channel, kind, service, payload }
        this.#withdraw.set(request, this.#conferences.session(run).send(params, this.#fate(request)))
      } catch (error) {
        this.#fail(request, error)
      }
    }
  }

  #fate(request: number): Fate {
    return {
      request,
      delivered: (taken) => {
        if (taken === "told") this.#withdraw.delete(request)
        else this.#settle(request, taken)
      },
      failed: (error) => this.#fail(request, error),
    }
  }

  async #erase(params: EngineCalls["conference.erase"]["params"]): Promise<null> {
    await this.#conferences.session(params).erase(params)
    return null
  }

  async #pairCode(params: EngineCalls["conference.pairCode"]["params"]): Promise<PairCode> {
    return pairCodeOf(this.#own().publicKey, this.#conferences.session(params).otherThanSelf(params.member).publicKey)
  }

  async #checkScan(params: EngineCalls["conference.checkScan"]["params"]): Promise<ScanResult> {
    const { publicKey } = this.#conferences.session(params).otherThanSelf(params.member)
    return checkScan(params.text, this.#own().publicKey, publicKey)
  }

  async #verify(params: EngineCalls["conference.verify"]["params"]): Promise<null> {
    const { publicKey, name } = this.#conferences.session(params).otherThanSelf(params.member)
    await (params.verified ? this.#people!.verify(publicKey, name, Date.now()) : this.#people!.unverify(publicKey))
    for (const session of this.#conferences.sessions()) session.onVerified()
    return null
  }

  async #refreshKey(params: EngineCalls["conference.refreshKey"]["params"]): Promise<null> {
    this.#conferences.session(params).refreshKey()
    return null
  }

  async #host(call: HostCall, params: EngineCalls[HostCall]["params"]): Promise<null> {
    const session = this.#conferences.session(params)
    await actAsHost(session, call, params)
    return null
  }

  async #readCopy({ part, ...params }: EngineCalls["copy.read"]["params"]): Promise<Uint8Array[]> {
    return this.#conferences.session(params).readCopy(part)
  }

  async #writeCopy(params: EngineCalls["copy.write"]["params"]): Promise<boolean> {
    return this.#conferences.session(params).writeCopy(params)
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
    this.#options.post({ type: "reply", request, ok: false, ...WITHDRAWN })
  }

  #own(): OwnIdentity {
    if (!this.#identity) throw new KeymootError("invalid-argument", "Open an identity first: Identity.open({ name }).")
    return this.#identity
  }
}
