import { equalBytes } from "@noble/ciphers/utils.js"
import type { Credential } from "../../members/credentials.ts"
import type { MemberId } from "../../members/ids.ts"
import {
  CONTACTS_MAX,
  CONTACT_FORGOTTEN_MS,
  CONTACT_STALE_MS,
  HALF_OPEN_MAX,
  HELLO_INTERVAL_MS,
  LASTED_MS,
  OFFER_INTERVAL_MS,
  OWN_OFFER_INTERVAL_MS,
  RETRY_BROKEN_MS,
  RETRY_MS,
  RETRY_MS_MAX,
  UNLINKED_RETRY_MS_MAX,
} from "../../bounds/network-bounds.ts"
import type { Contact, ContactsInput } from "../base/contact.ts"
import { compareAge, type RoomCard } from "../messages/room-card.ts"
import type { NetworkPolicy, OtherVersion } from "../shared/config.ts"
import type { IgnoredIncarnations } from "../shared/failures.ts"
import type { InvitationKeys } from "../shared/keyring.ts"
import { jittered, type Randomness } from "../shared/randomness.ts"

export type ContactsOutput =
  | { readonly type: "hello"; readonly member: MemberId }
  /** Offer a connection. */
  | { readonly type: "connect"; readonly member: MemberId }
  /** A connection to a former incarnation still exists and must end. */
  | { readonly type: "evict"; readonly member: MemberId }
  /** The member has repeated our nonce under another card. Messages to its former room entry may be lost. */
  | { readonly type: "entered"; readonly member: MemberId }

/**
 * How a member without a link counts as present. `proof`: it has repeated our nonce lately. `any`: its advertisement has
 * come lately, which the server could have replayed.
 */
export type Evidence = "proof" | "any"

export type ContactsConfig = {
  readonly random: Randomness
  /** Our major version. There is no link to a member with another one. */
  readonly major: number
  readonly policy: Pick<NetworkPolicy, "wants">
  readonly ignored: IgnoredIncarnations
}

/**
 * The members that this one meets in the room, and what each gets next. A member that is heard and wanted gets a hello,
 * and the lower id offers a connection, again after a back-off. Offers go only to members that have repeated our nonce.
 * So the server cannot make a member open connections by replaying advertisements.
 *
 * `NetworkPolicy.wants` says which members are wanted: all of them, or those that neighbour discovery has chosen.
 */
export class Contacts {
  readonly #self: MemberId
  readonly #config: ContactsConfig
  readonly #contacts = new Map<MemberId, Contact>()

  constructor(self: MemberId, config: ContactsConfig) {
    this.#self = self
    this.#config = config
  }

  get(member: MemberId): Readonly<Contact> | undefined {
    return this.#contacts.get(member)
  }

  /** The contact whose present certificate this is. */
  contactOf(certificate: Uint8Array): Readonly<Contact> | undefined {
    return [...this.#contacts.values()].find(({ credential }) => equalBytes(credential.certificate, certificate))
  }

  /** Wanted contacts that have repeated our nonce, under their present card. */
  freshContacts(): Readonly<Contact>[] {
    return [...this.#contacts.values()].filter((contact) => contact.fresh && this.#wants(contact))
  }

  /** Number of the counted members that are present, according to links and the room. See `Evidence`. */
  count(
    isCounted: (credential: Credential, keys: InvitationKeys) => boolean,
    evidence: Evidence,
    nowMs: number,
  ): number {
    // An attempt proves nothing: a replayed advertisement begins one.
    const isHere = (contact: Contact): boolean =>
      contact.connection.state === "up" ||
      (this.speaks(contact) && isHeard(contact, nowMs) && (evidence === "any" || isProven(contact, nowMs)))
    return [...this.#contacts.values()].filter((each) => isHere(each) && isCounted(each.credential, each.keys)).length
  }

  /** Whether the contact has our major version. */
  speaks({ card }: Readonly<Contact>): boolean {
    return card.protocol.major === this.#config.major
  }

  /**
   * Present members with another major version, or null if they are as at the last call. Each has repeated our nonce, so
   * a server cannot fake an old version by replaying a card from before an update.
   */
  otherVersions(nowMs: number): readonly OtherVersion[] | null {
    const isOther = (each: Contact): boolean => !this.speaks(each) && each.fresh && isHeard(each, nowMs)
    const others = [...this.#contacts.values()].filter(isOther).map((each) => otherVersion(each, this.#config.major))
    const reported = others.map(({ peer, theirs }) => `${peer} ${theirs}`).join()
    if (reported === this.#reportedVersions) return null
    this.#reportedVersions = reported
    return others
  }
  #reportedVersions = ""

  /** Returns true if the member needs a hello before a signal because it may not have our card. The caller sends it. */
  greet(member: MemberId, nowMs: number): boolean {
    const contact = this.#contacts.get(member)
    if (!contact || (contact.helloAtMs !== null && nowMs - contact.helloAtMs < HELLO_INTERVAL_MS)) return false
    if (contact.helloAtMs !== null && contact.fresh) return false
    contact.helloAtMs = nowMs
    return true
  }

  /** Whether to have a link with this member now. */
  wants(credential: Credential, keys: InvitationKeys | null): boolean {
    const { ignored, policy } = this.#config
    const contact = this.#contacts.get(credential.member)
    if (contact && ignored.has(credential.member, contact.card.incarnation)) return false
    return policy.wants?.(credential, keys) ?? true
  }

  #wants(contact: Contact): boolean {
    return this.speaks(contact) && this.wants(contact.credential, contact.keys)
  }

  /** Drops a member that is not to be linked any more. Only another card of it brings it back. */
  forget(member: MemberId): void {
    this.#contacts.delete(member)
  }

  /** Whether an offer of `member` is of a later attempt than any before. */
  isNewAttempt(member: MemberId, attempt: number): boolean {
    const contact = this.#contacts.get(member)
    if (contact === undefined) return false
    const { latest, card } = contact
    return latest === null || latest.incarnation < card.incarnation || latest.attempt < attempt
  }

  /**
   * Rate limit for offers. Otherwise a member could make us open connections faster than a browser frees closed ones.
   * Two in a row are accepted: a page that reloads right after it connected should not wait for its timeout.
   */
  mayOffer(member: MemberId, nowMs: number): boolean {
    const contact = this.#contacts.get(member)
    return contact === undefined || isPaced(contact, nowMs, OFFER_INTERVAL_MS)
  }

  /** Whether a connection is to be offered now or after a back-off. */
  isLooking(nowMs: number): boolean {
    return [...this.#contacts].some(([member, contact]) => this.#mayConnect(member, contact, nowMs))
  }

  get halfOpen(): number {
    return [...this.#contacts.values()].filter((contact) => contact.connection.state === "half-open").length
  }

  /** No contact is known, or a recently heard one has no direct connection. So advertising more often is worthwhile. */
  isMissing(nowMs: number): boolean {
    const heard = [...this.#contacts.values()].filter((each) => this.speaks(each) && isHeard(each, nowMs))
    return heard.length === 0 || heard.some(({ connection }) => connection.state !== "up")
  }

  step(input: ContactsInput, nowMs: number): ContactsOutput[] {
    switch (input.type) {
      case "card":
        return this.#handleCard(input, nowMs)
      case "entered":
        for (const contact of this.#contacts.values()) contact.helloAtMs = null
        return []
      case "connection":
        this.#handleConnection(input, nowMs)
        return []
      case "tick":
        return this.#handleTick(nowMs)
    }
  }

  #handleCard(
    { credential, card, keys, fresh }: ContactsInput & { readonly type: "card" },
    nowMs: number,
  ): ContactsOutput[] {
    const member = credential.member
    let contact = this.#contacts.get(member)
    if (contact === undefined) {
      if (this.#contacts.size >= CONTACTS_MAX && !this.#forgetLongestUnheard()) return []
      contact = newContact(credential, card, keys, nowMs)
      this.#contacts.set(member, contact)
    }
    const age = compareAge(card, contact.card)
    if (age < 0) return []
    // Failures of a former incarnation say nothing about this one.
    if (card.incarnation > contact.card.incarnation) Object.assign(contact, { failures: 0, retryAtMs: nowMs })
    if (age > 0) Object.assign(contact, { card, credential, fresh: false, helloAtMs: null })
    contact.keys = keys
    contact.heardAtMs = nowMs
    const isEntry = fresh && !contact.fresh
    contact.fresh ||= fresh
    if (fresh) contact.provenAtMs = nowMs
    return [
      ...this.#evictIfOutlived(member, contact, nowMs),
      ...(isEntry ? [{ type: "entered", member } as const] : []),
      // A fresh card is answered also if its version differs: its member learns of the difference from our card.
      ...(fresh || this.wants(credential, keys) ? this.#helloIfDue(member, contact, nowMs) : []),
      ...this.#connectIfDue(member, contact, nowMs),
    ]
  }

  /** Only a fresh card proves that the newer incarnation exists. An advertisement alone may be a replay. */
  #evictIfOutlived(member: MemberId, contact: Contact, nowMs: number): ContactsOutput[] {
    const connection = contact.connection
    if (connection.state === "none" || !contact.fresh || connection.incarnation >= contact.card.incarnation) return []
    Object.assign(contact, { connection: { state: "none" }, failures: 0, retryAtMs: nowMs })
    return [{ type: "evict", member }]
  }

  /** Repeated after a while in answer to any card, since the room may lose a hello. */
  #helloIfDue(member: MemberId, contact: Contact, nowMs: number): ContactsOutput[] {
    const waited = contact.helloAtMs === null || nowMs - contact.helloAtMs >= HELLO_INTERVAL_MS
    if (!waited || (contact.helloAtMs !== null && contact.connection.state !== "none")) return []
    contact.helloAtMs = nowMs
    return [{ type: "hello", member }]
  }

  #mayConnect(member: MemberId, contact: Contact, nowMs: number): boolean {
    if (this.#self > member || !contact.fresh || contact.connection.state !== "none") return false
    return isHeard(contact, nowMs) && this.#wants(contact)
  }

  #connectIfDue(member: MemberId, contact: Contact, nowMs: number): ContactsOutput[] {
    if (nowMs < contact.retryAtMs || !this.#mayConnect(member, contact, nowMs)) return []
    if (this.halfOpen >= HALF_OPEN_MAX || !isPaced(contact, nowMs, OWN_OFFER_INTERVAL_MS)) return []
    contact.connection = { state: "half-open", incarnation: contact.card.incarnation }
    return [{ type: "connect", member }]
  }

  #handleConnection(input: Extract<ContactsInput, { type: "connection" }>, nowMs: number): void {
    const contact = this.#contacts.get(input.member)
    if (contact === undefined) return
    if (input.state !== "gone") {
      const { incarnation, attempt } = input
      if (input.state === "half-open") {
        contact.formerAtMs = contact.latest?.atMs ?? null
        contact.latest = { incarnation, attempt, atMs: nowMs }
      }
      contact.connection =
        input.state === "up" ? { state: "up", incarnation, sinceMs: nowMs } : { state: "half-open", incarnation }
    } else {
      const { connection } = contact
      // A connection that lasted resets the back-off. A flapping one does not.
      const lasted = connection.state === "up" && nowMs - connection.sinceMs >= LASTED_MS
      const failures = lasted ? 0 : contact.failures
      const firstMs = connection.state === "up" ? RETRY_BROKEN_MS : RETRY_MS
      const pauseMs = Math.min(input.linked ? RETRY_MS_MAX : UNLINKED_RETRY_MS_MAX, firstMs * 2 ** failures)
      contact.failures = lasted ? 0 : Math.min(failures + 1, 30)
      contact.retryAtMs = nowMs + jittered(pauseMs, this.#config.random)
      if (connection.state === "up") contact.provenAtMs = nowMs
      contact.connection = { state: "none" }
    }
  }

  #handleTick(nowMs: number): ContactsOutput[] {
    const outputs: ContactsOutput[] = []
    for (const [member, contact] of this.#contacts) {
      if (contact.connection.state === "none" && nowMs - contact.heardAtMs > CONTACT_FORGOTTEN_MS)
        this.#contacts.delete(member)
      else outputs.push(...this.#connectIfDue(member, contact, nowMs))
    }
    return outputs
  }

  #forgetLongestUnheard(): boolean {
    let oldest: [MemberId, Contact] | null = null
    for (const entry of this.#contacts) {
      if (entry[1].connection.state === "none" && (oldest === null || entry[1].heardAtMs < oldest[1].heardAtMs))
        oldest = entry
    }
    return oldest !== null && this.#contacts.delete(oldest[0])
  }
}

function isHeard({ heardAtMs }: Contact, nowMs: number): boolean {
  return nowMs - heardAtMs <= CONTACT_STALE_MS
}

function isProven({ provenAtMs }: Contact, nowMs: number): boolean {
  return nowMs - provenAtMs <= CONTACT_STALE_MS
}

/** False for a third attempt within the interval, whichever end made the others. */
function isPaced({ formerAtMs }: Contact, nowMs: number, intervalMs: number): boolean {
  return formerAtMs === null || nowMs - formerAtMs >= intervalMs
}

function newContact(credential: Credential, card: RoomCard, keys: InvitationKeys, nowMs: number): Contact {
  return {
    credential,
    card,
    keys,
    fresh: false,
    heardAtMs: nowMs,
    provenAtMs: -Infinity,
    helloAtMs: null,
    connection: { state: "none" },
    latest: null,
    formerAtMs: null,
    failures: 0,
    retryAtMs: nowMs,
  }
}

function otherVersion({ credential, card }: Readonly<Contact>, ours: number): OtherVersion {
  const theirs = card.protocol.major
  return { peer: credential.member, credential, theirs, ours, older: theirs < ours ? "them" : "us" }
}
