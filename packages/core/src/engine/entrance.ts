/** Admission to one conference, put together: what hosts have said, who is in, which invitations there are. */
import type { InvitationKeys, MemberId, Mesh, View } from "@keymoot/transport"
import { decodeLinkMessage } from "@keymoot/transport"
import { hexToBytes } from "@noble/hashes/utils.js"
import type { AdmissionState, SecurityEvent } from "../api.ts"
import {
  commitmentOf,
  decodeStatements,
  encodeStatements,
  StatementSet,
  type StatementScope,
} from "../admission/index.ts"
import type { Descriptor, Invitation } from "../conference/index.ts"
import type { MemberCredential, MemberCredentialChecker, OwnIdentity } from "../identity/index.ts"
import type { ConferenceRecord } from "./conference-record.ts"
import { LruMap } from "../wire/index.ts"
import { Gate, keyOf } from "./gate.ts"
import type { GroupDriver } from "./group-driver.ts"
import { Hosting } from "./hosting.ts"
import { INVITATION_SECRET_BYTES, Invitations } from "./invitations.ts"
import { Notices } from "./notices.ts"
import type { LinkOutput, PeerOutput } from "./overlay-links.ts"

/** While members of a view have heard different things, the lowest tries another view after this long. */
const APART_MS = 500
/** Views in a row in which a member had heard something else: after these it is one that says so on purpose. */
const APART_VIEWS_MAX = 6
/** Neighbours who were sent the present secret; the longest ago may be sent it again. */
const INVITED_MAX = 64

export type EntranceConfig = {
  readonly descriptor: Descriptor
  readonly invitation: Invitation
  readonly record: ConferenceRecord
  readonly identity: OwnIdentity
  readonly checker: MemberCredentialChecker
  readonly now: () => number
  readonly driver: () => GroupDriver
  readonly mesh: () => Mesh
  readonly onState: (state: AdmissionState) => void
  readonly onInvitation: (url: string) => void
  /** For good: a host has said that this member is not to be here. */
  readonly onOut: (reason: "removed" | "refused") => void
  /** Roles may have changed. */
  readonly onStanding: () => void
  /** In the present, secured view. */
  readonly sendSecret: (secret: Uint8Array) => void
  readonly report: (code: SecurityEvent["code"], member: MemberId, detail: string) => void
  readonly fail: (error: unknown) => void
}

export class Entrance {
  readonly gate: Gate
  readonly hosting: Hosting
  readonly #config: EntranceConfig
  readonly #self: MemberId
  readonly #scope: StatementScope
  readonly #set: StatementSet
  readonly #notices: Notices
  readonly #invitations: Invitations
  #url: string
  /** What the mesh was given last. */
  #used: InvitationKeys | undefined
  #formerUsed = 0
  /** Members who have the present secret from this one, or are known to have been told. */
  #told = { commitment: "", members: new Set<string>() }
  readonly #invited = new LruMap<MemberId, string>(INVITED_MAX)
  #apart: { readonly view: View; readonly members: readonly MemberId[]; sinceMs: number | null } | null = null
  readonly #apartViews = new Map<MemberId, number>()

  constructor(config: EntranceConfig) {
    this.#config = config
    const { descriptor, invitation, identity, checker, record, now, report } = config
    const { signer, member, publicKey, certificate } = identity
    this.#self = member
    this.#scope = { conferenceId: hexToBytes(descriptor.conferenceId), descriptorHash: descriptor.hash }
    const set = new StatementSet(keyOf(descriptor.creator), this.#scope, checker)
    this.#set = set
    this.#invitations = new Invitations(this.#scope, invitation, descriptor.roomKey, record.secrets)
    this.gate = new Gate({
      descriptor,
      self: { member, publicKey, certificate },
      invitations: this.#invitations,
      standing: () => set.standing,
      vouched: () => this.#notices.vouched,
      now,
      known: { get: (id) => config.driver().known.get(id) },
      pass: (output) => config.driver().handle(output),
      expel: (id, reason) => config.mesh().expel(id, reason),
      announce: () => config.mesh().announce(),
      report,
      emit: (state) => config.onState(state),
    })
    const self = keyOf(identity)
    this.#notices = new Notices({
      scope: this.#scope,
      set,
      signer,
      self,
      checker,
      now,
      links: () => config.mesh(),
      linked: () => this.gate.linked,
      onChange: () => this.#onChange(),
      onRefusal: (from) => this.#onRefusal(from),
      onSecret: (secret) => this.#takeSecret(secret),
      report,
      fail: config.fail,
    })
    this.hosting = new Hosting({
      descriptor,
      scope: this.#scope,
      set,
      signer,
      self,
      gate: this.gate,
      notices: this.#notices,
      invitations: this.#invitations,
      present: () => this.#present(),
    })
    this.#url = this.#invitations.url(set.standing)
    const { keys } = this.#invitations
    this.#used = keys[0]
    this.#formerUsed = keys.length - 1
  }

  get url(): string {
    return this.#url
  }

  get keys(): readonly InvitationKeys[] {
    return this.#invitations.keys
  }

  get state(): AdmissionState {
    return this.gate.state
  }

  /** What an earlier life of this member had heard; before anything else. */
  async restore(): Promise<void> {
    const { statements } = this.#config.record
    const list = statements && decodeStatements(statements)
    if (list) await this.#notices.add(list)
  }

  tick(nowMs: number): void {
    this.#notices.tick(nowMs)
    this.gate.tick(nowMs)
    this.hosting.renewIfClosed()
    this.#tryTogether(nowMs)
  }

  handle(output: PeerOutput): void {
    switch (output.type) {
      case "linkUp":
        return this.#onLinkUp(output)
      case "linkDown":
        return this.gate.down(output)
      case "frame":
        return this.#onFrame(output)
      case "alive":
        return this.gate.isInside(output.peer) ? this.#config.driver().handle(output) : undefined
      case "ready":
      case "security":
        return this.#config.driver().handle(output)
    }
  }

  /** Of the group: a view with somebody who is not admitted here was proposed. */
  onUnadmitted(coordinator: MemberId): void {
    this.#notices.repeat([coordinator])
  }

  /** No key comes about in this view. */
  onApart(view: View, members: readonly MemberId[]): void {
    const others = members.filter((member) => member !== this.#self)
    this.#notices.repeat(others)
    this.#apart = { view, members: others, sinceMs: null }
    for (const member of others) {
      const times = (this.#apartViews.get(member) ?? 0) + 1
      this.#apartViews.set(member, times)
      if (times < APART_VIEWS_MAX) continue
      this.#apartViews.delete(member)
      this.#config.driver().obstructed(member)
    }
  }

  /** Whoever made the present invitation, and the lowest of those who come from one view, tell the others its secret. */
  onSecured(view: View): void {
    this.#apart = null
    this.#apartViews.clear()
    const { standing } = this.#set
    const secret = standing.generation && this.#invitations.present(standing)
    if (!secret || view.members.some(({ id }) => id !== this.#self && !this.gate.isInside(id))) return
    const { commitment } = standing.generation!.said
    if (this.#told.commitment !== commitment) this.#told = { commitment, members: new Set() }
    const ids = view.members.map(({ id, incarnation }) => `${id} ${incarnation}`)
    const lowest = [...view.transitional].sort()[0] === this.#self
    const untold = ids.filter((id) => !id.startsWith(this.#self) && !this.#told.members.has(id))
    if (untold.length === 0 || !(lowest || this.#told.members.size === 0)) return
    for (const id of ids) this.#told.members.add(id)
    this.#config.sendSecret(secret)
  }

  /** Under an epoch key. */
  onSecret(from: MemberId, secret: Uint8Array, view: View): void {
    const { generation } = this.#set.standing
    if (from === this.#self || !generation || !this.#takeSecret(secret)) return
    const { commitment } = generation.said
    if (this.#told.commitment !== commitment) this.#told = { commitment, members: new Set() }
    for (const { id, incarnation } of view.members) this.#told.members.add(`${id} ${incarnation}`)
  }

  /** What is not the present invitation's secret, as a host has committed to it, is none: then false. */
  #takeSecret(secret: Uint8Array): boolean {
    const { standing } = this.#set
    const { generation } = standing
    if (secret.length !== INVITATION_SECRET_BYTES || !generation) return false
    if (commitmentOf(secret, this.#scope) !== generation.said.commitment) return false
    if (this.#invitations.present(standing)) return true
    this.#invitations.add(secret)
    this.#onChange()
    return true
  }

  /**
   * Whoever was let in by a ticket, or may stay, and comes from elsewhere, needs the present secret to be heard by those who
   * hold no other. Those in the present view get it under the key of the next.
   */
  #inviteThoseBehind(): void {
    const secret = this.#set.standing.generation && this.#invitations.present(this.#set.standing)
    if (!secret) return
    const { commitment } = this.#set.standing.generation!.said
    const here = new Set(this.#config.driver().view.members.map(({ id }) => id))
    for (const member of this.gate.behind) {
      if (here.has(member) || this.#invited.get(member) === commitment) continue
      this.#invited.set(member, commitment)
      this.#notices.invite(member, secret)
    }
  }

  #onLinkUp(link: Extract<LinkOutput, { type: "linkUp" }>): void {
    this.gate.up(link)
    this.#notices.tell([link.peer])
    this.#inviteThoseBehind()
    void this.#config.checker
      .check(link.credential.certificate)
      .then((credential) => credential && this.gate.named(link.peer, credential.name))
  }

  #onFrame(frame: Extract<LinkOutput, { type: "frame" }>): void {
    const beside = besideOf(frame.bytes)
    if (beside) this.#notices.receive(frame.peer, beside)
    else if (this.gate.isInside(frame.peer)) this.#config.driver().handle(frame)
  }

  #onRefusal(from: MemberId): void {
    if (this.gate.waiting && this.gate.isLinkedHost(from)) this.#config.onOut("refused")
  }

  #onChange(): void {
    const { standing } = this.#set
    const { mesh, driver, record, identity } = this.#config
    this.#invitations.follow(standing)
    const [current, ...former] = this.#invitations.keys
    if (current !== this.#used || former.length !== this.#formerUsed) mesh().useKeys(current!, former)
    this.#used = current
    this.#formerUsed = former.length
    this.gate.review()
    this.#inviteThoseBehind()
    record.keep({
      secrets: this.#invitations.secrets,
      statements: encodeStatements(this.#set.encoded()),
      roomKey: standing.generation ? this.#config.descriptor.roomKey : null,
    })
    this.#config.onStanding()
    const url = this.#invitations.url(standing)
    if (url !== this.#url && this.#invitations.present(standing)) {
      this.#url = url
      this.#config.onInvitation(url)
    }
    if (standing.removed.has(keyOf(identity))) return this.#config.onOut("removed")
    // The key is bound to what hosts have said.
    if (!this.gate.waiting) driver().changeView()
  }

  #tryTogether(nowMs: number): void {
    const apart = this.#apart
    if (!apart || apart.view.members[0]?.id !== this.#self) return
    apart.sinceMs ??= nowMs
    if (nowMs - apart.sinceMs < APART_MS) return
    apart.sinceMs = nowMs
    this.#notices.repeat(apart.members)
    this.#config.driver().changeView()
  }

  #present(): MemberCredential[] {
    const driver = this.#config.driver()
    return driver.view.members.flatMap(({ id }) => driver.known.get(id) ?? [])
  }
}

const BESIDE_TAG = 4

/** Frames are the rule, and need not be read twice. */
function besideOf(bytes: Uint8Array): Uint8Array | null {
  if (bytes[0] !== BESIDE_TAG) return null
  const message = decodeLinkMessage(bytes)
  return message?.type === "beside" ? message.bytes : null
}
