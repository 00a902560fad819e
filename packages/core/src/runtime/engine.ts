/**
 * Engine: holds all secrets, which are one identity and its conferences. It runs in a worker in browsers and in the
 * process in Node.
 *
 * Input: requests and events of the host, as messages. Output: replies, events and commands to the host.
 */
import { type MemberId, type Sink, TraceSink } from "@keymoot/transport"
import { bytesToHex } from "@noble/hashes/utils.js"
import { KeymootError } from "../api/index.ts"
import {
  certifyIdentity,
  chooseIdentity,
  createIdentity,
  listIdentities,
  removeIdentity,
  renameIdentity,
  requestCertificate,
  restoreIdentity,
} from "../identity/device-identities.ts"
import { checkScan, pairCodeOf } from "../identity/pair-code.ts"
import { createCredentialChecker, type MemberCredential } from "../identity/certificates/credential-checker.ts"
import { formatCard, parseCard } from "../identity/card.ts"
import { openIdentity, type OwnIdentity } from "../identity/own-identity.ts"
import type { IdentityStore } from "../identity/store.ts"
import { VerifiedPeople } from "../identity/verified-people.ts"
import type { Hosting } from "../admission/hosting.ts"
import type { KeyPort } from "../media/epochs/media-keys.ts"
import { knownEnd } from "../admission/known-end.ts"
import { personOf } from "../admission/admission-policy.ts"
import { codeOf, evidenceOf, keyStructureOf } from "./conference-answers.ts"
import type { ConferenceLayers } from "./conference-layers.ts"
import { Conferences } from "./conferences.ts"
import { enteredAs } from "../device/conference-record.ts"
import { forgetCopiesOf, forgetKept, listKept } from "../device/kept-conferences.ts"
import type { OwnModules } from "./own-modules.ts"
import { payloadsOf, type SentRun } from "../rpc/message-runs.ts"
import type { SendOutcome } from "../driver/outbox.ts"
import { checkConference, checkPerson } from "../directory/listed-entries.ts"
import { appearance, ownCertificates, provePossession } from "../directory/own-certificates.ts"
import { chosenOnlooker, type Onlooker } from "../admission/preview.ts"
import type { EngineCalls, EngineRequest, FromEngine, LoneCall, ToEngine } from "../rpc/protocol.ts"

const WITHDRAWN = { code: "aborted", message: "The message was withdrawn.", opensAtMs: null } as const

export type EngineOptions = OwnModules & {
  readonly store: IdentityStore
  readonly sink: Sink<FromEngine>
  /** Largest conference with a full mesh of links; 24 by default. */
  readonly meshMax?: number | undefined
  /** Default: one that writes no lines. */
  readonly traceSink?: TraceSink
}

type Answer<Result> = Result | ([Result] extends [null] ? void : never)

/** A call that takes a signal can be cancelled from the moment that it takes it. */
type Answers = {
  readonly [C in LoneCall]: (
    params: EngineCalls[C]["params"],
    signal: () => AbortSignal,
  ) => Answer<EngineCalls[C]["result"]> | Promise<Answer<EngineCalls[C]["result"]>>
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

  /** Answers by name. Each may throw what the method of the public API throws. */
  readonly #answers: Answers = {
    "identity.stored": async () => (await this.#options.store.load())?.name ?? null,
    "identity.enteredAs": ({ conference }) => enteredAs(this.#options.store, conference),
    "identity.open": (params) => this.#open(params),
    "identity.list": () => listIdentities(this.#options.store),
    "identity.create": (params) => createIdentity(this.#options.store, params, Date.now()),
    "identity.restore": (params) => restoreIdentity(this.#options.store, params, Date.now()),
    "identity.rename": (params) => renameIdentity(this.#options.store, params, Date.now()),
    "identity.choose": ({ id }) => chooseIdentity(this.#options.store, id),
    "identity.certificateRequest": ({ id }) => requestCertificate(this.#options.store, id),
    "identity.certify": (params) => certifyIdentity(this.#options.store, params, Date.now()),
    "identity.remove": async ({ id }) => {
      await forgetCopiesOf(this.#options.store, id)
      await removeIdentity(this.#options.store, id)
    },
    "directory.own": () => ownCertificates(this.#own(), this.#checker),
    "directory.prove": async (params) =>
      provePossession(await appearance(this.#own(), params.fingerprint, this.#checker), params),
    "directory.person": async (params) => checkPerson(params, this.#checker, await this.#onlooker()),
    "directory.conference": async (params) => {
      const own = new Set((await ownCertificates(this.#own(), this.#checker)).map(({ fingerprint }) => fingerprint))
      return checkConference(params, own, this.#checker, { publicKey: this.#own().publicKey, people: this.#people! })
    },
    "directory.create": (params) => this.#conferences.createListed(params),
    "card.read": async ({ text }) => {
      const holder = await parseCard(text, this.#checker)
      return { ...personOf(holder), publicKey: bytesToHex(holder.publicKey) }
    },
    "conference.create": (params) => this.#conferences.create(params),
    "conference.schedule": (params) => this.#conferences.schedule(params),
    "conference.join": (params) => this.#conferences.join(params),
    "conference.resume": (params) => this.#conferences.resume(params),
    "conference.openKept": (params) => this.#conferences.openKept(params),
    "conference.preview": async ({ url }) => this.#conferences.preview(url, await this.#onlooker()),
    "conference.kept": () => listKept(this.#options.store, this.#checker, Date.now(), knownEnd),
    "conference.forget": ({ id }) => forgetKept(this.#options.store, id),
    "conference.setEnd": (params) => this.#conferences.setEnd(params),
    "conference.reconnect": (params) => this.#conferences.reconnect(params),
    "conference.erase": (params) => this.#layers(params).content.erase(params),
    "conference.code": (params) => codeOf(this.#layers(params)),
    "conference.pairCode": (params) => pairCodeOf(this.#own().publicKey, this.#other(params).publicKey),
    "conference.checkScan": (params) => {
      const { publicKey } = this.#other(params)
      if (typeof params.text !== "string") throw new KeymootError("invalid-argument", "text must be a string.")
      return checkScan(params.text, this.#own().publicKey, publicKey)
    },
    "conference.verify": async (params) => {
      const { publicKey, name } = this.#other(params)
      await (params.verified ? this.#people!.verify(publicKey, name, Date.now()) : this.#people!.unverify(publicKey))
      for (const { layers } of this.#conferences.runtimes()) {
        layers.content.renewView()
        layers.admission.step({ type: "verified" })
      }
    },
    "conference.keyStructure": (params) => keyStructureOf(this.#layers(params)),
    "conference.evidence": (params) => evidenceOf(this.#layers(params), params.documents),
    "conference.diagnostics": (params) => this.#conferences.runtime(params).diagnostics(),
    "conference.refreshKey": (params) => this.#live(params).renewal.ask(),
    "conference.remove": (params) => this.#hosting(params).remove(this.#other(params)),
    "conference.setRole": (params) => this.#hosting(params).setRole(this.#other(params), params.role),
    "conference.admit": (params) => this.#hosting(params).admit(params.member, params.role),
    "conference.refuse": (params) => this.#hosting(params).refuse(params.member),
    "conference.sendLobbyMessage": ({ text, to, ...params }) => this.#live(params).admission.outside.write(text, to),
    "conference.leave": (params) => this.#conferences.leave(params),
    "file.offer": (params, signal) => this.#layers(params).files.offer(params, signal()),
    "file.fetch": (params, signal) => this.#layers(params).files.fetch(params, signal()),
    "file.kept": (params) => this.#layers(params).files.kept(params),
    "file.read": (params) => this.#layers(params).files.read(params, params.block),
    "file.remove": (params) => this.#layers(params).files.remove(params),
    "media.signal": ({ to, signal, ...params }) => this.#layers(params).media.send(to, signal),
    "media.unheard": ({ member, ...params }) => this.#layers(params).media.unheard(member),
    "media.configuration": (params) => this.#layers(params).network.ice.configuration,
    "copy.read": async ({ part, ...params }) => (await this.#layers(params).copy?.read(part)) ?? [],
    // True if no copy is kept: there is nothing to retry.
    "copy.write": ({ part, bytes, how, ...params }) => this.#layers(params).copy?.write(part, bytes, how) ?? true,
  }

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
    this.#conferences.runtimeIfOpen(id)?.layers.mediaKeys.attach(port)
  }

  /** Leaves all conferences. Keeps the invitations for the next start. */
  async close(): Promise<void> {
    await Promise.all(this.#conferences.runtimes().map((runtime) => runtime.close("left")))
  }

  async #answer({ request, call, params }: EngineRequest): Promise<void> {
    try {
      const answer = this.#answers[call] as (params: unknown, signal: () => AbortSignal) => unknown
      this.#settle(request, (await answer(params, () => this.#signalFor(request))) ?? null)
    } catch (error) {
      this.#fail(request, error)
    }
  }

  #settle(request: number, result: unknown): void {
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

  /** The open identity, or the one that this device would enter with. */
  async #onlooker(): Promise<Onlooker | null> {
    const own = this.#identity && this.#people && { publicKey: this.#identity.publicKey, people: this.#people }
    return own ?? chosenOnlooker(this.#options.store, this.#checker)
  }

  #layers(params: { readonly id: string }): ConferenceLayers {
    return this.#conferences.runtime(params).layers
  }

  /** Layers for acts on others. */
  #live(params: { readonly id: string }): ConferenceLayers {
    return this.#conferences.live(params).layers
  }

  #hosting(params: { readonly id: string }): Hosting {
    return this.#live(params).admission.hosting
  }

  #send(run: SentRun): void {
    const { id, channel, kind, service, readers } = run
    for (const [i, payload] of payloadsOf(run).entries()) {
      const request = run.first + i
      try {
        const params = { id, channel, kind, service, readers, payload }
        this.#withdraw.set(
          request,
          this.#layers(run).content.sending.send(params, { request, outcome: this.#outcomes }),
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

  /** @throws KeymootError `closed`, `invalid-argument` as `otherThanSelf` */
  #other(params: { readonly id: string; readonly member: MemberId }): MemberCredential {
    return this.#layers(params).content.roster.otherThanSelf(params.member)
  }

  /** Signal for the cancellation of a call. A cancelled call rejects by itself. */
  #signalFor(request: number): AbortSignal {
    const calledOff = new AbortController()
    this.#withdraw.set(request, () => {
      calledOff.abort()
      return false
    })
    return calledOff.signal
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
