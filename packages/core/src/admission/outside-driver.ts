/** Seals, signs, opens and verifies messages of waiting people and hosts. `OutsideTalk` keeps and bounds them. */
import type { X25519 } from "@keymoot/gke"
import type { MemberId, Signer, Sink, View } from "@keymoot/transport"
import { hexToBytes, randomBytes } from "@noble/hashes/utils.js"
import { KeymootError } from "../api/index.ts"
import type { AdmissionCore } from "./admission-core.ts"
import type { AdmissionInput } from "./admission-io.ts"
import type { Certified } from "./entry-rules.ts"
import { notWaiting } from "./hosting.ts"
import type { Notice } from "./statements/notice.ts"
import type { StatementScope } from "./statements/statement.ts"
import type { MemberCredentialChecker } from "../identity/certificates/credential-checker.ts"
import { createQueue } from "../queues/action-queue.ts"
import { equalBytes } from "../wire/index.ts"
import {
  isOutsideText,
  openOutside,
  type OutsideBody,
  outsideSecretOf,
  outsideSigningBytes,
  sealOutside,
} from "../outside/outside-codec.ts"

/** A message may cross a change of the epoch. */
const KEYS_KEPT = 2

type KeyPair = { readonly secret: Uint8Array; readonly key: Uint8Array }
type Sealed = Extract<Notice, { type: "outsideMessage" }>["sealed"]

export type OutsideDriverConfig = {
  readonly core: Pick<AdmissionCore, "gate" | "talk" | "rules">
  readonly inputs: Sink<AdmissionInput>
  readonly scope: StatementScope
  readonly signer: Signer
  readonly checker: MemberCredentialChecker
  readonly x25519: X25519
  readonly notices: Sink<{ readonly to: MemberId; readonly notice: Notice }>
}

export class OutsideDriver {
  readonly #config: OutsideDriverConfig
  /** Key pairs of this member's present and last epoch, present first. */
  #epochs: KeyPair[] = []
  #isSecured = false
  /** Waiting people that have got the present key. */
  readonly #reported = new Set<MemberId>()
  /** At a guest: keys of the epoch by host, and where hosts answer. */
  readonly #hosts = new Map<MemberId, Uint8Array>()
  #reply: KeyPair | null = null
  #number = 0
  /** Sends one message after another. The other end drops a number below the last one. */
  readonly #inOrder = createQueue()

  constructor(config: OutsideDriverConfig) {
    this.#config = config
  }

  /** All members of the view derive the same key pair. */
  onKeyed({ id }: View, epochKey: Uint8Array): void {
    const secret = outsideSecretOf(epochKey, hexToBytes(id))
    for (const old of this.#epochs.splice(KEYS_KEPT - 1)) old.secret.fill(0)
    this.#epochs.unshift({ secret, key: this.#config.x25519.publicKey(secret) })
    this.#isSecured = false
    this.#reported.clear()
  }

  onSecured(): void {
    this.#isSecured = true
  }

  /** Hosts tell the present key to people that wait. */
  tick(): void {
    const { core, notices } = this.#config
    const [present] = this.#epochs
    if (!present || !this.#isSecured) return
    for (const { id } of core.gate.knocks) {
      if (this.#reported.has(id)) continue
      this.#reported.add(id)
      notices.take({ to: id, notice: { type: "outsideKey", key: present.key } })
    }
  }

  linkDown(member: MemberId): void {
    this.#reported.delete(member)
    this.#hosts.delete(member)
  }

  close(): void {
    for (const { secret } of this.#epochs.splice(0)) secret.fill(0)
    this.#reply?.secret.fill(0)
  }

  async receiveKey(from: MemberId, key: Uint8Array): Promise<void> {
    const { gate } = this.#config.core
    if (!gate.waiting || !gate.isLinkedHost(from)) return
    this.#hosts.set(from, key)
    await this.#sealTo(from, key, "")
  }

  /** Returns false if the message is no sound one of a person that waits. */
  async receiveMessage(from: MemberId, sealed: Sealed): Promise<boolean> {
    const guest = this.#config.core.gate.outsider(from)
    const own = this.#epochs.find(({ key }) => equalBytes(key, sealed.key))
    // It left meanwhile, or the epoch is long over.
    if (!guest || !own) return true
    const body = await this.#opened("message", guest, own, sealed)
    if (body) this.#config.inputs.take({ type: "guestWrote", from, body })
    return body !== null
  }

  /** Returns false if the answer is no sound one of a host. */
  async receiveAnswer(from: MemberId, sealed: Sealed): Promise<boolean> {
    const { gate } = this.#config.core
    const host = gate.linkedHost(from)
    if (!gate.waiting || !host || !this.#reply || !equalBytes(this.#reply.key, sealed.key)) return true
    const body = await this.#opened("answer", host, this.#reply, sealed)
    if (!body || body.text === "") return false
    this.#config.inputs.take({ type: "hostWrote", from, body })
    return true
  }

  async #opened(
    direction: "message" | "answer",
    { publicKey }: Certified,
    { secret }: KeyPair,
    sealed: Sealed,
  ): Promise<OutsideBody | null> {
    const { scope, x25519, checker } = this.#config
    const body = openOutside(x25519, direction, scope, secret, sealed)
    const signed = body && outsideSigningBytes(direction, scope, sealed.key, body)
    return signed && (await checker.verify(publicKey, signed, body.signature)) ? body : null
  }

  /**
   * As a waiting person, to all hosts that are linked. As a host, to one that waits.
   * @throws KeymootError `invalid-argument`, `not-permitted`, `queue-full`, `no-answer`
   */
  async write(text: string, to: MemberId | null): Promise<void> {
    if (typeof text !== "string" || text.trim() === "" || !isOutsideText(text)) {
      throw new KeymootError("invalid-argument", "Write a text of at most 1,024 bytes.")
    }
    return to === null ? this.#writeToHosts(text) : this.#answer(to, text)
  }

  async #writeToHosts(text: string): Promise<void> {
    const { core, inputs } = this.#config
    if (!core.gate.waiting)
      throw new KeymootError("not-permitted", "Only a waiting person can write to the hosts. Use a channel instead.")
    if (this.#hosts.size === 0) throw new KeymootError("no-answer", "No host is connected. Try again later.")
    if (!core.talk.mayWrite) throw new KeymootError("queue-full", "Wait until a host has answered.")
    inputs.take({ type: "wrote", text })
    for (const [host, key] of this.#hosts) await this.#sealTo(host, key, text)
  }

  async #sealTo(host: MemberId, key: Uint8Array, text: string): Promise<void> {
    this.#reply ??= this.#newPair()
    const { key: replyKey } = this.#reply
    await this.#inOrder(async () => {
      const sealed = await this.#sealed("message", key, { number: ++this.#number, replyKey, text })
      if (sealed) this.#config.notices.take({ to: host, notice: { type: "outsideMessage", sealed } })
    })
  }

  async #answer(to: MemberId, text: string): Promise<void> {
    const { core, notices, inputs } = this.#config
    if (!core.rules.isHost) throw new KeymootError("not-permitted", "Only a host of this conference can do this.")
    const replyKey = core.gate.outsider(to) && core.talk.replyKeyOf(to)
    if (!replyKey) throw notWaiting()
    await this.#inOrder(async () => {
      const sealed = await this.#sealed("answer", replyKey, { number: ++this.#number, replyKey, text })
      if (!sealed) throw new KeymootError("invalid-argument", "This person cannot be answered.")
      inputs.take({ type: "answered", to, text })
      notices.take({ to, notice: { type: "outsideAnswer", sealed } })
    })
  }

  async #sealed(direction: "message" | "answer", key: Uint8Array, body: OutsideBody): Promise<Sealed | null> {
    const { scope, signer, x25519 } = this.#config
    const signature = await signer.sign(outsideSigningBytes(direction, scope, key, body))
    const ephemeralSecret = randomBytes(32)
    const sealed = sealOutside(x25519, direction, scope, { key, body, signature, ephemeralSecret })
    ephemeralSecret.fill(0)
    return sealed
  }

  #newPair(): KeyPair {
    const secret = randomBytes(32)
    return { secret, key: this.#config.x25519.publicKey(secret) }
  }
}
