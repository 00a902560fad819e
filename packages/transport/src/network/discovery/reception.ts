import { equalBytes } from "@noble/ciphers/utils.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import type { Credential, CredentialChecker } from "../../members/credentials.ts"
import type { RoomAddress } from "../../port/port.ts"
import type { MemberId } from "../../members/ids.ts"
import {
  card as cardCoder,
  compareAge,
  openAdvertisement,
  type Card,
  type OpenedAdvertisement,
} from "../messages/card.ts"
import type { SecurityCode } from "../shared/config.ts"
import type { Contact } from "./discovery.ts"
import type { Envelopes, OpenedEnvelope } from "../messages/envelope.ts"
import type { InvitationKeys, Keyring } from "../shared/keyring.ts"
import type { Lanes } from "../shared/lanes.ts"
import type { Scope } from "../shared/scope.ts"
import { decodeSignal, type Signal } from "../messages/signal.ts"

export type ReceptionConfig = {
  readonly scope: Scope
  readonly keyring: Keyring
  readonly ownCertificate: Uint8Array
  readonly incarnation: number
  readonly credentials: CredentialChecker
  readonly admits: (credential: Credential, keys: InvitationKeys) => boolean
  readonly lanes: Lanes
  contact(member: MemberId): Readonly<Contact> | undefined
  /** Looks up a contact by certificate, so a repeated card needs no check. */
  contactOfCertificate(certificate: Uint8Array): Readonly<Contact> | undefined
  /** Also called for a later incarnation of this member on another device. */
  onCard(credential: Credential, card: Card, keys: InvitationKeys, fresh: boolean): void
  onSignal(contact: Readonly<Contact>, signal: Exclude<Signal, { readonly kind: "hello" }>): void
  onDropped(reason: string): void
  onSecurity(code: SecurityCode, member: MemberId | null, detail: string): void
}

/**
 * Authenticates what comes from the room before anything acts on it: first the invitation's key (cheap), then age, then
 * certificate and signature. Each sender has its own lane.
 */
export class Reception {
  readonly #config: ReceptionConfig

  constructor(config: ReceptionConfig) {
    this.#config = config
  }

  handleAdvertisement(from: RoomAddress, bytes: Uint8Array): void {
    const { ownCertificate, onDropped, onCard } = this.#config
    const found = this.#openAdvertisement(bytes)
    if (found === null) return onDropped("advertisement: not sealed by a holder of the invitation")
    const { opened, keys } = found
    const { card } = opened
    if (bytesToHex(card.address) !== from) return onDropped("advertisement: of another address")
    const isOwn = equalBytes(card.certificate, ownCertificate)
    if (isOwn && card.incarnation <= this.#config.incarnation) return onDropped("advertisement: own")
    const known = this.#config.contactOfCertificate(card.certificate)
    if (known !== undefined && compareAge(card, known.card) < 0) return onDropped("advertisement: outdated")
    if (known !== undefined && sameCard(card, known.card)) return onCard(known.credential, card, keys, false)
    this.#run(`advertisement ${from}`, () => this.#verifyAdvertisement(opened, keys))
  }

  #openAdvertisement(bytes: Uint8Array): { opened: OpenedAdvertisement; keys: InvitationKeys } | null {
    const { scope, keyring } = this.#config
    for (const keys of keyring.all) {
      const opened = openAdvertisement(keys.advertisement, scope, bytes)
      if (opened) return { opened, keys }
    }
    return null
  }

  async #verifyAdvertisement({ card, signed, signature }: OpenedAdvertisement, keys: InvitationKeys): Promise<void> {
    const credential = await this.#check(card, keys)
    if (credential === null) return
    if (await this.#config.credentials.verify(credential.publicKey, signed, signature))
      this.#config.onCard(credential, card, keys, false)
    else this.#config.onSecurity("forged-signal", null, "an advertisement's signature is not its certificate's")
  }

  /** `stillCurrent` is called again after each wait: a new room entry makes everything sent to the former one stale. */
  handleEnvelope(envelopes: Envelopes, stillCurrent: () => boolean, from: RoomAddress, bytes: Uint8Array): void {
    const { onDropped } = this.#config
    const opened = envelopes.open(bytes)
    if ("refused" in opened) return onDropped(`signal: ${opened.refused}`)
    const signal = decodeSignal(opened.body)
    if (signal === null) return onDropped("signal: malformed")
    this.#run(`signal ${bytesToHex(opened.senderEphemeral)}`, () =>
      this.#verifySignal(opened, signal, stillCurrent, from),
    )
  }

  async #verifySignal(
    opened: OpenedEnvelope,
    signal: Signal,
    stillCurrent: () => boolean,
    from: RoomAddress,
  ): Promise<void> {
    const { credentials, onDropped, onSecurity, onCard, onSignal } = this.#config
    const sender = signal.kind === "hello" ? await this.#checkHello(opened, signal.card, from) : this.#sender(opened)
    if (sender === null) return
    if (!(await credentials.verify(sender.publicKey, opened.signed, opened.signature))) {
      return onSecurity("forged-signal", opened.from, "a signal in this member's name has not its signature")
    }
    if (!stillCurrent()) return onDropped("signal: stale-nonce")
    if (signal.kind === "hello") return onCard(sender, signal.card, opened.keys, true)
    // Read again: the sender may have entered anew while its signature was verified.
    const contact = this.#config.contact(opened.from)
    if (contact !== undefined && equalBytes(contact.card.ephemeral, opened.senderEphemeral)) onSignal(contact, signal)
    else onDropped("signal: of a former room entry")
  }

  async #checkHello(opened: OpenedEnvelope, card: Card, from: RoomAddress): Promise<Credential | null> {
    const { onDropped, ownCertificate } = this.#config
    const consistent = equalBytes(card.ephemeral, opened.senderEphemeral) && bytesToHex(card.address) === from
    if (!consistent || equalBytes(card.certificate, ownCertificate)) {
      onDropped("signal: a hello that contradicts its envelope")
      return null
    }
    const credential =
      this.#config.contactOfCertificate(card.certificate)?.credential ?? (await this.#check(card, opened.keys))
    if (credential === null || credential.member === opened.from) return credential
    onDropped("signal: a hello that contradicts its envelope")
    return null
  }

  #sender(opened: OpenedEnvelope): Credential | null {
    const contact = this.#config.contact(opened.from)
    if (contact !== undefined && equalBytes(contact.card.ephemeral, opened.senderEphemeral)) return contact.credential
    this.#config.onDropped("signal: of nobody known")
    return null
  }

  async #check(card: Card, keys: InvitationKeys): Promise<Credential | null> {
    const credential = await this.#config.credentials.check(card.certificate)
    if (credential === null) this.#config.onSecurity("bad-credential", null, "a certificate in the room is not valid")
    if (credential === null || this.#config.admits(credential, keys)) return credential
    this.#config.onDropped("card: of somebody who is not admitted")
    return null
  }

  #run(lane: string, task: () => Promise<void>): void {
    if (!this.#config.lanes.run(lane, task)) this.#config.onDropped("too much at once")
  }
}

function sameCard(a: Card, b: Card): boolean {
  return equalBytes(cardCoder.encode(a), cardCoder.encode(b))
}
