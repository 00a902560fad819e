/**
 * Admission to one conference: who may be in, and who is notified of what. It combines the hosts' statements, the
 * neighbours and the invitations.
 *
 * A synchronous state machine: `step(input) → outputs`. The clocks are those of the last tick. Signatures are made and
 * verified by the caller, so all statements, vouches and credentials in inputs are verified.
 */
import type { InvitationKeys, MemberId, View } from "@keymoot/transport"
import type { AdmissionState } from "../api/index.ts"
import type { MemberCredential } from "../identity/certificates/credential-checker.ts"
import { LruMap } from "../wire/index.ts"
import type { AdmissionInput, AdmissionOutput } from "./admission-io.ts"
import { DifferingViews } from "./differing-views.ts"
import { EntryRules, keyOf, type Certified, type EntryRulesConfig } from "./entry-rules.ts"
import { Gate } from "./gate.ts"
import { KnockTrust, type JudgedPeople } from "./knock-trust.ts"
import { OutsideTalk } from "../outside/outside-talk.ts"
import { SecretDistribution } from "./secret-distribution.ts"
import { type SignedVouch, VOUCH_AGAIN_MS, vouchesFor } from "./statements/vouch.ts"
import type { PersonKey, StatementScope } from "./statements/statement.ts"
import type { Standing } from "./statements/standing.ts"

/** Minimum interval between two repetitions of all statements to one neighbour. */
const REPEAT_MS = 1_000
/** Neighbours whose last repetition is remembered. An evicted one may get another one earlier. */
const REPEATED_MAX = 64
/** Hosts whose last vouch is kept. */
const VOUCHES_MAX = 16
/** Inputs that may change a name, a member or a verified person. */
const COMPARED_AFTER: readonly AdmissionInput["type"][] = ["named", "verified", "standing", "view"]

export type AdmissionCoreConfig = EntryRulesConfig & {
  readonly scope: StatementScope
  readonly people: JudgedPeople
  /** Standing that an empty set of statements gives. */
  readonly standing: Standing
  readonly wallMs: number
}

export class AdmissionCore {
  readonly rules: EntryRules
  readonly gate: Gate
  readonly talk = new OutsideTalk()
  readonly #trust: KnockTrust
  readonly #config: AdmissionCoreConfig
  readonly #self: MemberId
  readonly #outputs: AdmissionOutput[] = []
  #nowMs = 0
  #view: View | null = null
  #state = ""
  #url: string
  /** Keys that were given to the network last. */
  #used: readonly InvitationKeys[]
  readonly #secrets: SecretDistribution
  readonly #repeatedMs = new LruMap<MemberId, number>(REPEATED_MAX)
  readonly #vouches = new LruMap<PersonKey, SignedVouch>(VOUCHES_MAX)
  #vouchDueMs = 0
  readonly #differingViews: DifferingViews
  #contradicting: ReadonlySet<PersonKey> = new Set()

  constructor(config: AdmissionCoreConfig) {
    this.#config = config
    this.#self = config.self.member
    this.rules = new EntryRules(config, config.standing, config.wallMs)
    this.#trust = new KnockTrust(config.people)
    this.gate = new Gate(this.rules, (output) => this.#emit(output))
    this.#secrets = new SecretDistribution(config)
    this.#differingViews = new DifferingViews(this.#self)
    this.#url = config.invitations.url(config.standing)
    this.#used = config.invitations.keys
  }

  /** Link to share. */
  get url(): string {
    return this.#url
  }

  get keys(): readonly InvitationKeys[] {
    return this.#config.invitations.keys
  }

  get state(): AdmissionState {
    const vouched = this.rules.isHost || this.#presentVouch() !== null
    const { waiting, hostHere } = this.gate
    const judged = this.gate.knocks.map((person) => this.#trust.judged(person))
    const knocks = judged.map((person) => ({ ...person, messages: this.talk.messagesOf(person.id) }))
    const { messages } = this.talk
    const { standing, maySetEnd } = this.rules
    return { waiting, hostHere, vouched, knocks, messages, endsAtMs: standing.end.atMs, maySetEnd }
  }

  /** Members of the present view, this one included. */
  get present(): readonly MemberCredential[] {
    return (this.#view?.members ?? []).flatMap(({ id }) => this.#config.known.get(id) ?? [])
  }

  /** Whether the network should link with this member, beyond those that the topology wants. */
  wants(credential: Certified, keys: InvitationKeys | null): boolean {
    // Hosts also link to waiting people, and waiting people to hosts.
    const { waiting } = this.gate
    return waiting || this.rules.mayProve(keys) || (this.rules.isHost && !this.rules.admits(credential, keys))
  }

  /** Whether a member may be in the conference, by what is known now. False for a waiting person. */
  mayBeInside(credential: Certified, keys: InvitationKeys): boolean {
    return this.rules.admits(credential, keys)
  }

  step(input: AdmissionInput): readonly AdmissionOutput[] {
    this.#handle(input)
    if (COMPARED_AFTER.includes(input.type)) this.#trust.compare(this.gate.knocks, this.present)
    this.#reportState()
    return this.#outputs.splice(0)
  }

  #handle(input: AdmissionInput): void {
    switch (input.type) {
      case "linkUp":
        this.gate.up(input)
        this.#notifyOfStatements([input.peer])
        return this.#inviteThoseBehind()
      case "linkDown":
        this.gate.down(input)
        return this.talk.left(input.peer, this.gate.hostHere)
      case "named":
        return this.gate.named(input.member, input.name)
      case "verified":
        return
      case "tick":
        return this.#tick(input.nowMs, input.wallMs)
      case "standing":
        this.rules.standing = input.standing
        this.#differingViews.onStatements()
        if (input.vouch) this.#onVouch(input.vouch)
        this.#notifyOfStatements(this.gate.linked)
        return this.#reconsider()
      case "vouch":
        return this.#onVouch(input.vouch)
      case "view":
        this.#view = input.view
        return this.#differingViews.onView()
      case "secured":
        return this.#onSecured(input.view)
      case "differing":
        return this.#onDiffering(input.view, input.members)
      case "unadmitted":
        return this.#repeat([input.coordinator])
      case "secret":
        return this.#afterSecret(this.#secrets.take(input.secret, this.rules.standing))
      case "invitationSecret":
        if (input.from === this.#self) return
        return this.#afterSecret(this.#secrets.takeToView(input.secret, input.view, this.rules.standing))
      case "issue":
        return this.#config.invitations.add(input.secret)
      case "refusal":
        if (this.gate.waiting && this.gate.isLinkedHost(input.from)) this.#emit({ type: "out", reason: "refused" })
        return
      case "guestWrote":
        if (this.gate.outsider(input.from)) this.talk.guestWrote(input.from, input.body)
        return
      case "answered":
        return this.talk.answered(input.to, input.text)
      case "wrote":
        return this.talk.wrote(input.text)
      case "hostWrote":
        if (this.gate.waiting && this.gate.isLinkedHost(input.from)) this.talk.hostWrote(input.from, input.body)
        return
      case "refuse":
        this.#emit({ type: "notify", to: [input.member], notice: { type: "refusal" } })
        return this.gate.refuse(input.member)
    }
  }

  /** Whether its only clocks are those of minutes. */
  get isCalm(): boolean {
    return this.gate.isCalm && this.#differingViews.isOver && !this.#mustRenew()
  }

  #tick(nowMs: number, wallMs: number): void {
    this.#nowMs = nowMs
    this.rules.wallMs = wallMs
    if (nowMs >= this.#vouchDueMs && this.rules.isHost) {
      this.#vouchDueMs = nowMs + VOUCH_AGAIN_MS
      this.#emit({ type: "vouchDue" })
    }
    this.gate.tick(nowMs)
    if (this.#mustRenew()) this.#emit({ type: "renewalDue" })
    this.#tryTogether(nowMs)
  }

  #afterSecret(isNew: boolean): void {
    if (isNew) this.#reconsider()
  }

  #onSecured(view: View): void {
    this.#differingViews.onSecured()
    // The wish for another view that came with the statements ended with this view.
    if (this.rules.isOutdated(view)) this.#emit({ type: "changeView" })
    if (view.members.some(({ id }) => id !== this.#self && !this.gate.isInside(id))) return
    const secret = this.#secrets.forView(view, this.rules.standing)
    if (secret) this.#emit({ type: "sendSecret", secret })
  }

  /**
   * Sends the present secret to neighbours outside the view that lack it. They were admitted by a ticket or as staying,
   * and members that hold no other secret refuse their links without it. Members of the present view get the secret
   * under the next view's key.
   */
  #inviteThoseBehind(): void {
    const here = this.#view?.members.map(({ id }) => id) ?? []
    const behind = this.gate.behind.filter((member) => !here.includes(member))
    for (const { to, secret } of this.#secrets.forNeighbours(behind, this.rules.standing)) {
      this.#emit({ type: "notify", to: [to], notice: { type: "invitation", secret } })
    }
  }

  /** Re-evaluates everything after a change of the statements or of this member's invitations. */
  #reconsider(): void {
    const { standing } = this.rules
    const { invitations, self } = this.#config
    this.#reportContradictions()
    invitations.follow(standing)
    const [current, ...former] = invitations.keys
    if (current !== this.#used[0] || invitations.keys.length !== this.#used.length)
      this.#emit({ type: "useKeys", current: current!, former })
    this.#used = invitations.keys
    this.gate.review()
    this.#inviteThoseBehind()
    this.#emit({ type: "keep" })
    this.#emit({ type: "roles" })
    const url = invitations.url(standing)
    if (url !== this.#url && invitations.present(standing)) {
      this.#url = url
      this.#emit({ type: "invitation", url })
    }
    if (standing.removed.has(keyOf(self))) return this.#emit({ type: "out", reason: "removed" })
    if (!this.gate.waiting) this.#emit({ type: "changeView" })
  }

  // Statements

  #notifyOfStatements(to: readonly MemberId[]): void {
    const vouch = this.#presentVouch()?.bytes ?? null
    if (to.length > 0) this.#emit({ type: "notify", to, notice: { type: "statements", vouch } })
  }

  /** Repeats all statements to neighbours that seem to lack some, at most once per `REPEAT_MS`. */
  #repeat(to: readonly MemberId[]): void {
    for (const member of to) {
      const last = this.#repeatedMs.get(member)
      if (last !== undefined && this.#nowMs - last < REPEAT_MS) continue
      this.#repeatedMs.set(member, this.#nowMs)
      this.#notifyOfStatements([member])
    }
  }

  #onVouch(vouch: SignedVouch): void {
    const isOwn = vouch.issuer === keyOf(this.#config.self)
    if (!isOwn && !this.rules.standing.everHosts.has(vouch.issuer)) return
    const known = this.#vouches.get(vouch.issuer)
    // Neighbours may return vouches of this member, also of an earlier incarnation. They must not replace the last one.
    if (known && known.saidAtMs >= vouch.saidAtMs) return
    this.#vouches.set(vouch.issuer, vouch)
    // Otherwise the standing that it is for follows, and is sent together with it.
    if (isOwn && vouch.digest === this.rules.standing.digest) this.#notifyOfStatements(this.gate.linked)
  }

  /** A host's vouch, within the hour, that the statements known here are complete. */
  #presentVouch(): SignedVouch | null {
    const { standing, wallMs } = this.rules
    const vouches = standing.hosts.flatMap((host) => this.#vouches.get(host) ?? [])
    return vouches.find((vouch) => vouchesFor(vouch, standing, wallMs)) ?? null
  }

  /** Reports each contradiction once for as long as it lasts. */
  #reportContradictions(): void {
    const { contradicting } = this.rules.standing
    for (const key of contradicting) {
      if (this.#contradicting.has(key)) continue
      const member = this.present.find((each) => keyOf(each) === key)?.member ?? null
      const [code, detail] = this.rules.isHostKey(key)
        ? (["equivocation", "the creator signed two different statements with one number"] as const)
        : ([
            "contradicting-host",
            "it signed two different statements with one number, and is no longer a host",
          ] as const)
      this.#emit({ type: "report", code, member, detail })
    }
    this.#contradicting = contradicting
  }

  #onDiffering(view: View, members: readonly MemberId[]): void {
    const others = members.filter((member) => member !== this.#self)
    this.#repeat(others)
    for (const member of this.#differingViews.onDiffering(view, others, this.#nowMs))
      this.#emit({ type: "obstructed", member })
  }

  #tryTogether(nowMs: number): void {
    const differing = this.#differingViews.tick(nowMs)
    if (!differing) return
    this.#repeat(differing)
    this.#emit({ type: "replaceView" })
  }

  /**
   * Whether this host has to issue a new invitation, because the present one is closed. After a merge there may be
   * removals that its issuer did not know. The highest host that is present issues it.
   */
  #mustRenew(): boolean {
    const { closed, hosts } = this.rules.standing
    if (!closed || this.#config.descriptor.admission.policy === "roster") return false
    const here = new Set(this.present.map(keyOf))
    return hosts.find((host) => here.has(host)) === keyOf(this.#config.self)
  }

  // Outputs

  #reportState(): void {
    const { state } = this
    const text = JSON.stringify(state)
    if (text === this.#state) return
    this.#state = text
    this.#emit({ type: "state", state })
  }

  #emit(output: AdmissionOutput): void {
    this.#outputs.push(output)
  }
}
