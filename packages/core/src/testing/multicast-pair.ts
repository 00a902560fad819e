/** Secure multicast between the application and the links, without the group's order and the links. */
import {
  decodeLinkMessage,
  encodeLinkMessage,
  frameDigest,
  type GroupFrame,
  type MemberId,
  type View,
} from "@keymoot/transport"
import { randomBytes } from "@noble/hashes/utils.js"
import type { Authenticity } from "../api/index.ts"
import { aesGcm } from "../ciphers/aes-gcm.ts"
import type { DataCipher } from "../ciphers/aead.ts"
import { Epoch } from "../multicast/epoch.ts"
import { FrameOpener, signFrame } from "../frames/frame-opener.ts"
import { createCredentialChecker } from "../identity/certificates/credential-checker.ts"
import { createMemoryStore } from "../identity/memory-store.ts"
import { openIdentity, type OwnIdentity } from "../identity/own-identity.ts"
import { type BatchMessage, countFitting, decodeBatch, encodeBatch } from "../multicast/batch.ts"
import { LruMap } from "../wire/index.ts"

const CONFERENCE = "00112233445566778899aabbccddeeff"
const CONFERENCE_TAG = new Uint8Array(32)
const VIEW = "ab".repeat(32) as View["id"]
const CHANNEL = "chat"

/** One sending and one receiving member in one epoch, with real keys. */
export class MulticastPair {
  readonly #sending: Epoch
  readonly #receiving: Epoch
  readonly #sender: OwnIdentity
  readonly #opener: FrameOpener
  #sequence = 0

  private constructor(authenticity: Authenticity, cipher: DataCipher, sender: OwnIdentity, receiver: OwnIdentity) {
    const epochKey = randomBytes(32)
    const view = viewOf(sender, receiver)
    const epoch = (self: MemberId) =>
      new Epoch({ view, conferenceId: CONFERENCE, self, epochKey: epochKey.slice(), cipher, authenticity })
    this.#sending = epoch(sender.member)
    this.#receiving = epoch(receiver.member)
    this.#sender = sender
    const known = new LruMap<MemberId, OwnIdentity>(2)
    known.set(sender.member, sender)
    const { authenticator } = this.#receiving
    const authenticatorOf = authenticator && (() => authenticator)
    this.#opener = new FrameOpener(CONFERENCE_TAG, known, createCredentialChecker(), authenticatorOf)
  }

  static async create(authenticity: Authenticity, cipher: DataCipher = aesGcm): Promise<MulticastPair> {
    const [sender, receiver] = [await open("Sender"), await open("Receiver")]
    return new MulticastPair(authenticity, cipher, sender, receiver)
  }

  /**
   * Returns the bytes for each link before its hop protection. `perBatchMax`: messages per batch; as many as fit by
   * default.
   */
  async send(payloads: readonly Uint8Array[], perBatchMax = Number.MAX_SAFE_INTEGER): Promise<Uint8Array[]> {
    const sent: Uint8Array[] = []
    const messages = payloads.map((payload): BatchMessage => ({ channel: CHANNEL, kind: 0, payload, sentAtMs: 0 }))
    for (let at = 0; at < messages.length;) {
      const most = messages.slice(at, at + Math.min(perBatchMax, messages.length))
      const batch = most.slice(0, countFitting(most))
      at += batch.length
      sent.push(await this.#sendBatch(batch))
    }
    return sent
  }

  /** Returns the number of delivered messages. @throws Error if one is rejected */
  async receive(sent: readonly Uint8Array[]): Promise<number> {
    let count = 0
    for (const bytes of sent) {
      const message = decodeLinkMessage(bytes)
      const opened = message?.type === "frame" ? await this.#opener.open(message.bytes, () => undefined) : "malformed"
      if (typeof opened === "string") throw new Error(`a frame was refused: ${opened}`)
      frameDigest(opened.frame)
      const plaintext = await this.#receiving.open(opened.frame as GroupFrame)
      const messages = plaintext && decodeBatch(plaintext)
      if (!messages) throw new Error("a batch did not open")
      count += messages.length
    }
    return count
  }

  async #sendBatch(batch: readonly BatchMessage[]): Promise<Uint8Array> {
    const place = { service: "agreed", sequence: ++this.#sequence } as const
    const body = (await this.#sending.seal(place.sequence, place.service, encodeBatch(batch)))!
    const payload = { kind: "data", message: { dependencies: [], body } } as const
    const header = { conferenceTag: CONFERENCE_TAG, view: VIEW, origin: this.#sender.member, ...place }
    const { authenticator } = this.#sending
    const sign = (bytes: Uint8Array) => authenticator?.tag(bytes) ?? this.#sender.signer.sign(bytes)
    const { bytes } = await signFrame(header, payload, sign)
    return encodeLinkMessage({ type: "frame", bytes })
  }
}

function open(name: string): Promise<OwnIdentity> {
  return openIdentity({ name, store: createMemoryStore() })
}

function viewOf(...people: readonly OwnIdentity[]): View {
  const ids = people.map(({ member }) => member).sort()
  const members = ids.map((id) => ({ id, incarnation: 1 }))
  const proposal = { epoch: 1, coordinator: ids[0]!, attempt: 1 } as unknown as View["proposal"]
  return { id: VIEW, epoch: 1, proposal, members, transitional: ids, features: [], attachments: new Map() }
}
