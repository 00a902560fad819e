/**
 * Engine: holds all secrets, which are one identity and its conferences. It runs in a worker in browsers and in the
 * process in Node.
 *
 * Input: requests and events of the host, as messages. Output: replies, events and commands to the host.
 */
import { type MemberId, type Sink, TraceSink } from "@keymoot/transport"
import type { IceServer } from "@keymoot/transport/host"
import { bytesToHex } from "@noble/hashes/utils.js"
import {
  type CardHolder,
  type ConferencePreview,
  KeymootError,
  type ListedConference,
  type PairCode,
  type ScanResult,
} from "../api/index.ts"
import {
  checkScan,
  createCredentialChecker,
  formatCard,
  openIdentity,
  parseCard,
  pairCodeOf,
  type IdentityStore,
  type MemberCredential,
  type OwnIdentity,
  VerifiedPeople,
} from "../identity/index.ts"
import { actAsHost, exchangeFiles, manageIdentities } from "./engine-calls.ts"
import type { KeyPort } from "../media/epochs/media-keys.ts"
import { knownEnd } from "../admission/known-end.ts"
import { personOf } from "../admission/admission-policy.ts"
import { Conferences } from "./conferences.ts"
import { forgetKept, listKept } from "../device/kept-conferences.ts"
import type { OwnModules } from "./own-modules.ts"
import { payloadsOf, type SentRun } from "../rpc/message-runs.ts"
import type { SendOutcome } from "../driver/outbox.ts"
import { checkConference, checkPerson } from "../directory/listed-entries.ts"
import { appearance, ownCertificates, provePossession } from "../directory/own-certificates.ts"
import { chosenOnlooker, type Onlooker } from "../admission/preview.ts"
import type { EngineCall, EngineCalls, EngineRequest, FromEngine, ToEngine } from "../rpc/protocol.ts"

const WITHDRAWN = { code: "aborted", message: "The message was withdrawn.", opensAtMs: null } as const

export type EngineOptions = OwnModules & {
  readonly store: IdentityStore
  readonly iceServers: readonly IceServer[]
  readonly sink: Sink<FromEngine>
  /** Largest conference with a full mesh of links; 24 by default. */
  readonly meshMax?: number | undefined
  /** Default: one that writes no lines. */
  readonly traceSink?: TraceSink
}

export class Engine {
  readonly #options: EngineOptions
  readonly #checker = createCredentialChecker()
  readonly #conferences: Conferences
  readonly #traceSink: TraceSink
  readonly #withdraw = new Map<number, () => boolean>()
  readonly #outcomes: Sink<SendOutcome> = { take: (outcome) => this.#onOutcome(outcome) }
  #identity: OwnIdentity | null = null
  /** People that the identity has verified. Set whenever `#identity` is. */
  #people: VerifiedPeople | null = null

  constructor(options: EngineOptions) {
    this.#options = options
    this.#traceSink = options.traceSink ?? new TraceSink()
    this.#conferences = new Conferences({ ...options, traceSink: this.#traceSink }, this.#checker, () => ({
      identity: this.#own(),
      people: this.#people!,
    }))
  }

  handle(message: ToEngine): void {
    this.#conferences.rouse()
    if (message.type === "host") this.#conferences.handleHost(message.event)
    else if (message.type === "taken") this.#conferences.taken(message)
    else if (message.type === "abort") this.#abort(message.request)
    else if (message.type === "send") this.#send(message)
    else if (message.type === "trace") this.#traceSink.set(message.setting)
    else void this.#answer(message)
  }

  /** Sends the keys of a conference's frames to the media worker at the other end of the port. */
  attachMediaKeys(id: string, port: KeyPort | null): void {
    this.#conferences.runtimeIfOpen(id)?.attachMediaKeys(port)
  }

  /** Leaves all conferences. Keeps the invitations for the next start. */
  async close(): Promise<void> {
    await Promise.all(this.#conferences.runtimes().map((runtime) => runtime.close("left")))
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
    this.#options.sink.take({ type: "reply", request, ok: true, result })
  }

  #fail(request: number, error: unknown): void {
    const known = error instanceof KeymootError ? error : null
    const message = known?.message ?? `Keymoot failed unexpectedly (${String(error)}). Reload and try again.`
    const opensAtMs = known?.opensAtMs ?? null
    this.#withdraw.delete(request)
    this.#options.sink.take({ type: "reply", request, ok: false, code: known?.code ?? "internal", message, opensAtMs })
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
      case "directory.own":
        return this.#ownCertificates()
      case "directory.prove":
        return this.#prove(take)
      case "directory.person":
        return this.#onlooker().then((onlooker) => checkPerson(take, this.#checker, onlooker))
      case "directory.conference":
        return this.#checkListed(take)
      case "directory.create":
        return this.#conferences.createListed(take)
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
      case "conference.openKept":
        return this.#conferences.openKept(take)
      case "conference.preview":
        return this.#preview(take)
      case "conference.kept":
        return listKept(this.#options.store, this.#checker, Date.now(), knownEnd)
      case "conference.forget":
        return forgetKept(this.#options.store, (take as EngineCalls[typeof call]["params"]).id).then(() => null)
      case "conference.setEnd":
        return this.#conferences.setEnd(take)
      case "conference.reconnect":
        this.#conferences.reconnect(take)
        return Promise.resolve(null)
      case "conference.erase":
        return this.#conferences
          .runtime(take)
          .content.erase(take)
          .then(() => null)
      case "conference.code":
        return Promise.resolve(this.#conferences.runtime(take).conferenceCode())
      case "conference.pairCode":
        return this.#pairCode(take)
      case "conference.checkScan":
        return this.#checkScan(take)
      case "conference.verify":
        return this.#verify(take)
      case "conference.keyStructure":
        return Promise.resolve(this.#conferences.runtime(take).keyStructure())
      case "conference.evidence":
        return this.#conferences.runtime(take).evidence(take)
      case "conference.diagnostics":
        return Promise.resolve(this.#conferences.runtime(take).diagnostics())
      case "conference.refreshKey":
        this.#conferences.runtime(take).refreshKey()
        return Promise.resolve(null)
      case "conference.remove":
      case "conference.setRole":
      case "conference.admit":
      case "conference.refuse":
        return actAsHost(this.#conferences.runtime(take), call, take).then(() => null)
      case "conference.sendLobbyMessage":
        return this.#sendLobbyMessage(take)
      case "conference.leave":
        return this.#conferences.leave(take)
      case "file.offer":
      case "file.fetch":
      case "file.kept":
      case "file.read":
      case "file.remove":
        return this.#abortable(request, (signal) =>
          exchangeFiles(this.#conferences.runtime(take).files, call, take, signal),
        )
      case "media.signal":
        return this.#signal(take)
      case "media.unheard":
        return this.#unheard(take)
      case "media.configuration":
        return Promise.resolve(this.#conferences.runtime(take).iceConfiguration)
      case "copy.read":
        return this.#conferences.runtime(take).readCopy((take as EngineCalls[typeof call]["params"]).part)
      case "copy.write":
        return this.#conferences.runtime(take).writeCopy(take)
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

  async #readCard({ text }: EngineCalls["card.read"]["params"]): Promise<CardHolder> {
    const holder = await parseCard(text, this.#checker)
    return { ...personOf(holder), publicKey: bytesToHex(holder.publicKey) }
  }

  async #preview({ url }: EngineCalls["conference.preview"]["params"]): Promise<ConferencePreview> {
    return this.#conferences.preview(url, await this.#onlooker())
  }

  /** The open identity, or the one that this device would enter with. */
  async #onlooker(): Promise<Onlooker | null> {
    const own = this.#identity && this.#people && { publicKey: this.#identity.publicKey, people: this.#people }
    return own ?? chosenOnlooker(this.#options.store, this.#checker)
  }

  async #ownCertificates(): Promise<EngineCalls["directory.own"]["result"]> {
    return ownCertificates(this.#own(), this.#checker)
  }

  async #prove(params: EngineCalls["directory.prove"]["params"]): Promise<EngineCalls["directory.prove"]["result"]> {
    return provePossession(await appearance(this.#own(), params.fingerprint, this.#checker), params)
  }

  async #checkListed(params: EngineCalls["directory.conference"]["params"]): Promise<ListedConference> {
    const own = new Set((await this.#ownCertificates()).map(({ fingerprint }) => fingerprint))
    return checkConference(params, own, this.#checker, { publicKey: this.#own().publicKey, people: this.#people! })
  }

  #send(run: SentRun): void {
    const { id, channel, kind, service, readers } = run
    for (const [i, payload] of payloadsOf(run).entries()) {
      const request = run.first + i
      try {
        const params = { id, channel, kind, service, readers, payload }
        this.#withdraw.set(
          request,
          this.#conferences.runtime(run).content.sending.send(params, { request, outcome: this.#outcomes }),
        )
      } catch (error) {
        this.#fail(request, error)
      }
    }
  }

  #onOutcome(outcome: SendOutcome): void {
    const { request } = outcome
    if (request === null) return
    if (outcome.type === "failed") this.#fail(request, outcome.error)
    else if (outcome.taken === "notified") this.#withdraw.delete(request)
    else this.#settle(request, outcome.taken)
  }

  async #pairCode(params: EngineCalls["conference.pairCode"]["params"]): Promise<PairCode> {
    return pairCodeOf(this.#own().publicKey, this.#other(params).publicKey)
  }

  async #checkScan(params: EngineCalls["conference.checkScan"]["params"]): Promise<ScanResult> {
    const { publicKey } = this.#other(params)
    return checkScan(params.text, this.#own().publicKey, publicKey)
  }

  /** @throws KeymootError `closed`, `invalid-argument` for oneself or an unknown member */
  #other(params: { readonly id: string; readonly member: MemberId }): MemberCredential {
    return this.#conferences.runtime(params).content.roster.otherThanSelf(params.member)
  }

  async #verify(params: EngineCalls["conference.verify"]["params"]): Promise<null> {
    const { publicKey, name } = this.#other(params)
    await (params.verified ? this.#people!.verify(publicKey, name, Date.now()) : this.#people!.unverify(publicKey))
    for (const { content } of this.#conferences.runtimes()) content.renewView()
    return null
  }

  async #sendLobbyMessage({
    text,
    to,
    ...params
  }: EngineCalls["conference.sendLobbyMessage"]["params"]): Promise<null> {
    await this.#conferences.runtime(params).outside.write(text, to)
    return null
  }

  async #signal({ to, signal, ...params }: EngineCalls["media.signal"]["params"]): Promise<null> {
    this.#conferences.runtime(params).media.send(to, signal)
    return null
  }

  async #unheard({ member, ...params }: EngineCalls["media.unheard"]["params"]): Promise<null> {
    this.#conferences.runtime(params).media.unheard(member)
    return null
  }

  /** Runs a call with a signal for its cancellation. A cancelled call rejects by itself. */
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
    this.#options.sink.take({ type: "reply", request, ok: false, ...WITHDRAWN })
  }

  #own(): OwnIdentity {
    if (!this.#identity) throw new KeymootError("invalid-argument", "Open an identity first: Identity.open({ name }).")
    return this.#identity
  }
}
