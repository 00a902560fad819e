/** The engine's part of frame encryption: derives the senders' keys of each view, and sends them to the media worker. */
import { exportKey } from "@keymoot/gke"
import { memberIdToBytes, type MemberId, type View } from "@keymoot/transport"
import { concatBytes, hexToBytes } from "@noble/hashes/utils.js"
import { SerialQueue } from "../../queues/serial-queue.ts"
import { bufferSource } from "../../wire/index.ts"
import type { MediaKeyMessage, SenderKeyMaterial } from "../keys/key-messages.ts"
import { keyIdOf, type MediaMember, type MediaView } from "../keys/index.ts"
import { sframeSecrets } from "../sframe/index.ts"

const LABEL = "keymoot v1 media"
const SECRET_BYTES = 32
/**
 * Counters of one media worker under one key: frames of months. A member that enters the call again in the same view
 * gets the same key in another worker. Beyond 2^53 frames are refused, so counters never start again.
 */
const COUNTERS_PER_WORKER = 2 ** 36

/** Used part of a `MessagePort` whose other end is in the media worker. */
export type KeyPort = { postMessage(message: MediaKeyMessage): void; close(): void }

export type MediaKeysConfig = {
  readonly self: MediaMember
  /** Whether the member has a role with which it may publish. */
  readonly mayPublish: (member: MemberId) => boolean
  /** Keys could not be imported. */
  readonly fail: (error: unknown) => void
}

export class MediaKeys {
  readonly #config: MediaKeysConfig
  readonly #queue: SerialQueue
  #port: KeyPort | null = null
  #view: MediaView | null = null
  /** Secret of the present view from which the senders' keys are derived. Kept for a call that starts later. */
  #secret: Uint8Array | null = null
  #isSecured = false
  /** Media workers that have got the keys of the present view. */
  #keyedWorkers = 0

  constructor(config: MediaKeysConfig) {
    this.#config = config
    this.#queue = new SerialQueue(config.fail)
  }

  /** Sends the keys of the present view and all later ones to this port. It replaces a former port. */
  attach(port: KeyPort): void {
    this.#port?.close()
    this.#port = port
    this.#post({ type: "self", self: this.#config.self })
    if (!this.#view) return
    this.#post({ type: "view", view: this.#view })
    this.onRoles()
    this.#postKeys()
    if (this.#isSecured) this.#postAfterKeys({ type: "secured", view: this.#view.id })
  }

  onAgreeing({ id, epoch, members }: View): void {
    this.#erase()
    this.#view = { id, epoch, members: members.map((each) => ({ member: each.id, incarnation: each.incarnation })) }
    this.#post({ type: "view", view: this.#view })
    this.onRoles()
  }

  /** Roles may have changed. The media worker drops the frames of viewers, whatever the page does. */
  onRoles(): void {
    const members = this.#view?.members.map(({ member }) => member) ?? []
    this.#post({ type: "speakers", members: members.filter((member) => this.#config.mayPublish(member)) })
  }

  /** Reads `epochKey` and keeps nothing of it. */
  onKeyed(view: View, epochKey: Uint8Array): void {
    this.#secret = exportKey(epochKey, LABEL, hexToBytes(view.id), SECRET_BYTES)
    this.#postKeys()
  }

  onSecured(view: View): void {
    this.#isSecured = true
    this.#postAfterKeys({ type: "secured", view: view.id })
  }

  close(): void {
    this.#erase()
    this.#view = null
    this.#postAfterKeys({ type: "closed" })
  }

  #postKeys(): void {
    const view = this.#view
    const secret = this.#secret
    if (!this.#port || !view || !secret) return
    const raw = view.members.map(({ member, incarnation }, index) => {
      const keyId = keyIdOf(view, index)
      const baseKey = exportKey(secret, LABEL, senderContext(member, incarnation), SECRET_BYTES)
      const secrets = { keyId, ...sframeSecrets(baseKey, keyId) }
      baseKey.fill(0)
      return secrets
    })
    const firstCounter = this.#keyedWorkers++ * COUNTERS_PER_WORKER
    this.#later(async (port) => {
      const keys = await Promise.all(raw.map(importKey))
      for (const { key } of raw) key.fill(0)
      port.postMessage({ type: "keyed", view: view.id, keys, firstCounter })
    })
  }

  /** Follows the keys of the view, whose import takes time. */
  #postAfterKeys(message: MediaKeyMessage): void {
    this.#later((port) => port.postMessage(message))
  }

  /** Does not wait for keys: a view without a member must stop the former sending key at once. */
  #post(message: MediaKeyMessage): void {
    this.#port?.postMessage(message)
  }

  #later(task: (port: KeyPort) => void | Promise<void>): void {
    const port = this.#port
    if (port) this.#queue.add(() => task(port))
  }

  #erase(): void {
    this.#secret?.fill(0)
    this.#secret = null
    this.#isSecured = false
    this.#keyedWorkers = 0
  }
}

function senderContext(member: MemberId, incarnation: number): Uint8Array {
  const number = new Uint8Array(8)
  new DataView(number.buffer).setBigUint64(0, BigInt(incarnation))
  return concatBytes(memberIdToBytes(member), number)
}

async function importKey({
  keyId,
  key,
  salt,
}: {
  readonly keyId: number
  readonly key: Uint8Array
  readonly salt: Uint8Array
}): Promise<SenderKeyMaterial> {
  const imported = await crypto.subtle.importKey("raw", bufferSource(key), "AES-GCM", false, ["encrypt", "decrypt"])
  return { keyId, key: imported, salt }
}
