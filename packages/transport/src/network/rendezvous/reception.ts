import { equalBytes } from "@noble/ciphers/utils.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import type { Credential } from "../../members/credentials.ts"
import type { RoomAddress } from "../../port/port.ts"
import {
  card as cardCoder,
  compareAge,
  openAdvertisement,
  type RoomCard,
  type OpenedAdvertisement,
} from "../messages/room-card.ts"
import type { Contacts } from "./contacts.ts"
import type { Envelopes, OpenedEnvelope } from "../messages/envelope.ts"
import type { InvitationKeys } from "../shared/keyring.ts"
import type { MeshBase } from "../base/mesh-base.ts"
import { decodeSignal, type Signal } from "../messages/signal.ts"

/**
 * Authenticates what comes from the room before anything acts on it: first the invitation's key (cheap), then age, then
 * certificate and signature. Each sender has its own lane.
 */
export class Reception {
  readonly #base: MeshBase
  readonly #contacts: Contacts

  constructor(base: MeshBase, contacts: Contacts) {
    this.#base = base
    this.#contacts = contacts
  }

  handleAdvertisement(from: RoomAddress, bytes: Uint8Array): void {
    const { mesh, faults } = this.#base
    const found = this.#openAdvertisement(bytes)
    if (found === null) return faults.drop("advertisement: not sealed by a holder of the invitation")
    const { opened, keys } = found
    const { card } = opened
    if (bytesToHex(card.address) !== from) return faults.drop("advertisement: of another address")
    const isOwn = equalBytes(card.certificate, mesh.signer.certificate)
    if (isOwn && card.incarnation <= mesh.incarnation) return faults.drop("advertisement: own")
    const known = this.#contacts.contactOf(card.certificate)
    if (known !== undefined && compareAge(card, known.card) < 0) return faults.drop("advertisement: outdated")
    if (known !== undefined && sameCard(card, known.card)) return this.#onCard(known.credential, card, keys, false)
    this.#base.lanes.run(`advertisement ${from}`, () => this.#verifyAdvertisement(opened, keys))
  }

  #openAdvertisement(bytes: Uint8Array): { opened: OpenedAdvertisement; keys: InvitationKeys } | null {
    const { scope, keyring } = this.#base
    for (const keys of keyring.all) {
      const opened = openAdvertisement(keys.advertisement, scope, bytes)
      if (opened) return { opened, keys }
    }
    return null
  }

  async #verifyAdvertisement({ card, signed, signature }: OpenedAdvertisement, keys: InvitationKeys): Promise<void> {
    const credential = await this.#check(card, keys)
    if (credential === null) return
    if (await this.#base.mesh.credentials.verify(credential.publicKey, signed, signature))
      this.#onCard(credential, card, keys, false)
    else this.#base.faults.security("forged-signal", null, "an advertisement's signature is not its certificate's")
  }

  /** `stillCurrent` is called again after each wait: a new room entry makes everything sent to the former one stale. */
  handleEnvelope(envelopes: Envelopes, stillCurrent: () => boolean, from: RoomAddress, bytes: Uint8Array): void {
    const { faults } = this.#base
    const opened = envelopes.open(bytes, from, this.#base.clock.nowMs)
    if ("refused" in opened) return faults.drop(`signal: ${opened.refused}`)
    const signal = decodeSignal(opened.body)
    if (signal === null) return faults.drop("signal: malformed")
    this.#base.lanes.run(`signal ${from}`, () => this.#verifySignal(opened, signal, stillCurrent, from))
  }

  async #verifySignal(
    opened: OpenedEnvelope,
    signal: Signal,
    stillCurrent: () => boolean,
    from: RoomAddress,
  ): Promise<void> {
    const { mesh, faults } = this.#base
    const sender = signal.kind === "hello" ? await this.#checkHello(opened, signal.card, from) : this.#sender(opened)
    if (sender === null) return
    if (!(await mesh.credentials.verify(sender.publicKey, opened.signed, opened.signature))) {
      return faults.security("forged-signal", opened.from, "a signal in this member's name has not its signature")
    }
    if (!stillCurrent()) return faults.drop("signal: stale-nonce")
    if (signal.kind === "hello") return this.#onCard(sender, signal.card, opened.keys, true)
    // Read again: the sender may have entered anew while its signature was verified.
    const contact = this.#contacts.get(opened.from)
    if (contact !== undefined && equalBytes(contact.card.ephemeral, opened.senderEphemeral))
      this.#base.sink.take({ type: "heardSignal", contact, signal })
    else faults.drop("signal: of a former room entry")
  }

  async #checkHello(opened: OpenedEnvelope, card: RoomCard, from: RoomAddress): Promise<Credential | null> {
    const { mesh, faults } = this.#base
    const consistent = equalBytes(card.ephemeral, opened.senderEphemeral) && bytesToHex(card.address) === from
    if (!consistent || equalBytes(card.certificate, mesh.signer.certificate)) {
      faults.drop("signal: a hello that contradicts its envelope")
      return null
    }
    const credential = this.#contacts.contactOf(card.certificate)?.credential ?? (await this.#check(card, opened.keys))
    if (credential === null || credential.member === opened.from) return credential
    faults.drop("signal: a hello that contradicts its envelope")
    return null
  }

  #sender(opened: OpenedEnvelope): Credential | null {
    const contact = this.#contacts.get(opened.from)
    if (contact !== undefined && equalBytes(contact.card.ephemeral, opened.senderEphemeral)) return contact.credential
    this.#base.faults.drop("signal: of an unknown sender")
    return null
  }

  async #check(card: RoomCard, keys: InvitationKeys): Promise<Credential | null> {
    const { mesh, faults } = this.#base
    const credential = await mesh.credentials.check(card.certificate)
    if (credential === null) faults.security("bad-credential", null, "a certificate in the room is not valid")
    if (credential === null || mesh.policy.admits(credential, keys)) return credential
    faults.drop("card: of a person who is not admitted")
    return null
  }

  #onCard(credential: Credential, card: RoomCard, keys: InvitationKeys, fresh: boolean): void {
    this.#base.sink.take({ type: "card", credential, card, keys, fresh })
  }
}

function sameCard(a: RoomCard, b: RoomCard): boolean {
  return equalBytes(cardCoder.encode(a), cardCoder.encode(b))
}
