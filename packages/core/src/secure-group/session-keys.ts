/**
 * Keys of a conference with a fixed roster, under majority. They are agreed in sessions, which continue when the view
 * in which they started ends. One key serves all later views until there is a new one.
 *
 * All members derive the session of a view from the same attachments:
 * 1. If a member requests a new key and more than half of the roster are present: a session that starts with this view.
 * 2. Otherwise the last one that any present member holds. Members without its key ask those that hold it.
 * 3. Otherwise, with more than half of the roster present: a session that starts with this view.
 * 4. Otherwise none: the view waits for more people.
 */
import {
  copySecret,
  createMajorityAgreement,
  epochKey,
  isLaterSession,
  majoritySid,
  majoritySigningInput,
  RANDOM_BYTES,
  type KeyStructure,
  type MajorityAgreement,
  type MajorityOutput,
  type SessionName,
  type SignatureVerifier,
  type X25519,
} from "@keymoot/gke"
import type { MemberId, ProposalId, View } from "@keymoot/transport"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js"
import { domainSeparated, LruMap } from "../wire/index.ts"
import { decodeRosterBody } from "./agreement-body.ts"
import type { EpochKeys, EpochKeysConfig, EpochKeysInput, EpochKeysOutput } from "./epoch-keys.ts"
import { decodeSessionAttachment, encodeSessionAttachment } from "./attachments.ts"

/** Timeout for a member to send a key that it holds. It may have moved on to a later one by then. */
const ASKING_MS = 2000
/** Bound on the sessions that may still yield a secret here. The module runs fewer at a time. */
const SESSIONS_KNOWN_MAX = 16

export type RosterMember = {
  readonly member: MemberId
  readonly publicKey: Uint8Array
  /** SHA-256 of the certificate. */
  readonly fingerprint: Uint8Array
}

export type SessionKeysConfig = EpochKeysConfig & {
  readonly module: "majority"
  /** Sorted by member id, this member included. */
  readonly roster: readonly RosterMember[]
  /** Digest of the hosts' statements (32 bytes). There are none, because the roster is fixed. */
  readonly statementsHash: Uint8Array
  readonly x25519: X25519
  readonly verifier: SignatureVerifier
}

type Held = { readonly session: SessionName; readonly epochKey: Uint8Array; readonly transcript: Uint8Array }

export class SessionKeys implements EpochKeys {
  readonly #config: SessionKeysConfig
  readonly #module: MajorityAgreement
  readonly #outputs: EpochKeysOutput[] = []
  readonly #publicKeys: ReadonlyMap<MemberId, Uint8Array>
  readonly #sessions = new LruMap<string, SessionName>(SESSIONS_KNOWN_MAX)
  /** The last session whose key this member holds, and the present view's. */
  #held: readonly Held[] = []
  #view: View | null = null
  #target: SessionName | null = null
  /** Members of the view that claim to hold the target's key. */
  #holders: readonly MemberId[] = []
  #keyed = false
  /** Whether every member has proved the key of the present view. */
  #secured = false
  #renews = false
  #wakeAtMs: number | null = 0
  /** Time of the first tick of the present view. */
  #askingSinceMs: number | null = null
  /**
   * Another view was requested since the last key. It bounds the view changes that a member can cause by claiming a key
   * that it does not send.
   */
  #asked = false

  constructor(config: SessionKeysConfig) {
    this.#config = config
    this.#publicKeys = new Map(config.roster.map(({ member, publicKey }) => [member, publicKey]))
    const { group, x25519, self, verifier } = config
    this.#module = createMajorityAgreement({ group, x25519, self, verifier, publicKeys: this.#publicKeys })
  }

  get expectsKey(): boolean {
    return this.#target !== null
  }

  /** With a majority present, the next session does without a member that withholds a key. */
  awaiting(): readonly MemberId[] {
    return this.#keyed || this.#isQuorum() ? [] : this.#holders
  }

  /**
   * A member without the key before the view may wait for a holder. With a majority present the next session ends that
   * wait.
   */
  proving(silent: readonly MemberId[]): readonly MemberId[] {
    const holders = silent.filter((member) => this.#holders.includes(member))
    const isResumed = this.#target !== null && this.#target.epoch < this.#view!.epoch
    return holders.length > 0 || (isResumed && this.#isQuorum()) ? holders : silent
  }

  structure(): KeyStructure | null {
    return this.#module.structure()
  }

  renew(): void {
    this.#renews = true
  }

  contribute(_proposal: ProposalId, _members: readonly MemberId[]): Uint8Array {
    return encodeSessionAttachment({ held: this.#last()?.session ?? null, renews: this.#renews })
  }

  begin(view: View): readonly EpochKeysOutput[] {
    this.#view = view
    this.#keyed = false
    this.#secured = false
    this.#askingSinceMs = null
    // A request after this member's SYNC waits for the next view.
    if (decodeSessionAttachment(view.attachments.get(this.#config.self))?.renews) this.#renews = false
    this.#target = this.#sessionOf(view)
    this.#forgetOldKeys()
    const held = this.#target && this.#heldOf(this.#target)
    if (held) this.#useKey(held)
    else if (this.#target) this.#start(this.#target)
    if (this.#isGivenByNobody()) this.#emit({ type: "refreshDue" })
    return this.#outputs.splice(0)
  }

  /**
   * A later session has ended between the SYNC and the view, and superseded the view's session. Members without its key
   * cannot get it any more.
   */
  #isGivenByNobody(): boolean {
    const [target, last] = [this.#target, this.#last()]
    const isLackedBySome = this.#holders.length < this.#view!.members.length
    return target !== null && last !== null && isLaterSession(last.session, target) && isLackedBySome
  }

  handle(input: EpochKeysInput): readonly EpochKeysOutput[] {
    this.#handle(input)
    return this.#outputs.splice(0)
  }

  #handle(input: EpochKeysInput): void {
    switch (input.type) {
      case "rosterMessage":
        return this.#receive(input.from, input.body)
      case "rosterLost":
        return this.#run(this.#module.step({ type: "resend", to: input.peer }))
      case "tick":
        return this.#tick(input.nowMs)
      case "secured":
        this.#secured = true
        return
      case "message":
      case "postQuantum":
        // This agreement sends no messages within views.
        return this.#emit({ type: "fault", member: input.from, reason: "unexpected-message" })
    }
  }

  erase(): void {
    for (const held of this.#held) held.epochKey.fill(0)
    this.#held = []
    this.#module.erase()
  }

  // --- which session -----------------------------------------------------------------------------------------------------

  #sessionOf(view: View): SessionName | null {
    const born = { epoch: view.epoch, viewId: hexToBytes(view.id) }
    let renews = false
    let latest: SessionName | null = null
    const claims: { readonly member: MemberId; readonly held: SessionName }[] = []
    for (const { id } of view.members) {
      const attachment = this.#attachmentOf(view, id)
      renews ||= attachment?.renews ?? false
      if (!attachment?.held) continue
      claims.push({ member: id, held: attachment.held })
      if (!latest || isLaterSession(attachment.held, latest)) latest = attachment.held
    }
    this.#holders = claims.filter(({ held }) => latest && isSame(held, latest)).map(({ member }) => member)
    const isQuorum = this.#isQuorum()
    if (isQuorum && (renews || !latest)) return born
    return latest
  }

  /** A member alone may have its first view without an attachment. */
  #attachmentOf(view: View, member: MemberId): ReturnType<typeof decodeSessionAttachment> {
    const bytes = view.attachments.get(member)
    if (!bytes) return null
    const attachment = decodeSessionAttachment(bytes)
    // Every session started with a view that was installed before this one was proposed.
    const isPossible = attachment && (!attachment.held || attachment.held.epoch < view.epoch)
    if (!isPossible) this.#emit({ type: "fault", member, reason: "malformed-attachment" })
    return isPossible ? attachment : null
  }

  #isQuorum(): boolean {
    return (this.#view?.members.length ?? 0) > this.#config.roster.length / 2
  }

  // --- sessions ------------------------------------------------------------------------------------------------------------

  #start(session: SessionName): void {
    const { self, cipher, roster, random } = this.#config
    const { id, epoch, proposal } = this.#view!
    const sid = majoritySid({ ...this.#config, cipher: cipher.name, session })
    this.#sessions.set(bytesToHex(sid), session)
    // Only at its start is it certain that no earlier incarnation of this member took part in the session.
    const resumed = session.epoch !== epoch || bytesToHex(session.viewId) !== id
    const members = roster.map(({ member }) => member)
    const view = { sid, self, members, proposal, attachments: new Map(), session, resumed }
    const fresh = random.bytes(RANDOM_BYTES)
    const outputs = this.#module.step({ type: "view", view, random: fresh })
    fresh.fill(0)
    this.#run(outputs)
  }

  #onSecret({ sid, secret, transcript }: MajorityOutput & { readonly type: "secret" }): void {
    const { invitation } = this.#config
    const session = this.#sessions.get(bytesToHex(sid))
    if (!session) return void secret.fill(0)
    const held = { session, epochKey: epochKey({ invitation, secret, transcript, sid }), transcript }
    secret.fill(0)
    this.#held = [...this.#held, held]
    if (this.#target && isSame(session, this.#target)) this.#useKey(held)
    // A session of a former view has ended and superseded the one before. No member can still get the earlier key.
    else if (!this.#secured && held === this.#last()) this.#emit({ type: "refreshDue" })
  }

  /**
   * Binds the key to this view, so that statements about it in another view can't be replayed as statements in this
   * one.
   */
  #useKey({ epochKey: key, transcript }: Held): void {
    this.#keyed = true
    this.#asked = false
    const bound = sha256(domainSeparated("keymoot v1 majority view", transcript, hexToBytes(this.#view!.id)))
    this.#emit({ type: "keyed", epochKey: copySecret(key), transcript: bound })
  }

  #last(): Held | null {
    return this.#held.reduce<Held | null>(
      (last, next) => (last && isLaterSession(last.session, next.session) ? last : next),
      null,
    )
  }

  #heldOf(session: SessionName): Held | null {
    return this.#held.find((held) => isSame(held.session, session)) ?? null
  }

  #forgetOldKeys(): void {
    const target = this.#target && this.#heldOf(this.#target)
    const last = this.#last()
    for (const held of this.#held) if (held !== last && held !== target) held.epochKey.fill(0)
    this.#held = this.#held.filter((held) => held === last || held === target)
  }

  // --- messages ------------------------------------------------------------------------------------------------------------

  /** The signer of the frame must have signed the statement too. Otherwise it violated the protocol. */
  #receive(from: MemberId, body: Uint8Array): void {
    const said = decodeRosterBody(body)
    if (!said || !this.#isSigned(from, said.statement, said.signature)) {
      return this.#emit({ type: "fault", member: from, reason: "malformed-body" })
    }
    const bytes = concatBytes(said.statement, said.signature)
    this.#run(this.#module.step({ type: "message", from, via: said.via, bytes }))
  }

  /** Uses the code that checks forwarded statements, because implementations differ about malformed signatures. */
  #isSigned(member: MemberId, statement: Uint8Array, signature: Uint8Array): boolean {
    const publicKey = this.#publicKeys.get(member)
    const { verifier } = this.#config
    return publicKey !== undefined && verifier.verify(publicKey, majoritySigningInput(statement), signature)
  }

  #tick(nowMs: number): void {
    this.#watchHolders(nowMs)
    if (this.#wakeAtMs === null || nowMs < this.#wakeAtMs) return
    this.#wakeAtMs = null
    this.#run(this.#module.step({ type: "tick", nowMs }))
  }

  /** Requests another view, which shows what the holders hold by then. */
  #watchHolders(nowMs: number): void {
    this.#askingSinceMs ??= nowMs
    if (this.#keyed || this.#asked || this.#holders.length === 0 || nowMs - this.#askingSinceMs < ASKING_MS) return
    this.#asked = true
    this.#emit({ type: "refreshDue" })
  }

  #emit(output: EpochKeysOutput): void {
    this.#outputs.push(output)
  }

  #run(outputs: readonly MajorityOutput[]): void {
    for (const output of outputs) this.#onOutput(output)
  }

  #onOutput(output: MajorityOutput): void {
    switch (output.type) {
      case "multicast": {
        const others = this.#config.roster.map(({ member }) => member).filter((member) => member !== this.#config.self)
        return this.#emit({ type: "statement", via: "multicast", to: others, statement: output.bytes })
      }
      case "unicast":
        return this.#emit({ type: "statement", via: "unicast", to: [output.to], statement: output.bytes })
      case "secret":
        return this.#onSecret(output)
      case "fault":
        return this.#emit(output)
      case "wakeAt":
        this.#wakeAtMs = output.deadlineMs
        return
      case "contribution":
      case "wantsView":
        throw new Error(`unexpected ${output.type} from majority`)
    }
  }
}

function isSame(a: SessionName, b: SessionName): boolean {
  return a.epoch === b.epoch && bytesToHex(a.viewId) === bytesToHex(b.viewId)
}
