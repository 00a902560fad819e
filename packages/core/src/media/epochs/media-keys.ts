/** The engine's part of frame encryption: derives the senders' keys of each view, and sends them to the media worker. */
import { exportKey } from "@keymoot/gke"
import { memberIdToBytes, type MemberId, type View } from "@keymoot/transport"
import { concatBytes, hexToBytes } from "@noble/hashes/utils.js"
import type { EntryRules } from "../../admission/entry-rules.ts"
import type { Faults } from "../../platform/surroundings.ts"
import { SerialQueue } from "../../queues/serial-queue.ts"
import { bufferSource } from "../../wire/index.ts"
import type { MediaKeyMessage, MediaKeyReply, SenderKeyMaterial } from "../keys/key-messages.ts"
import { keyIdOf, type MediaMember, type MediaView } from "../keys/media-view.ts"
import { sframeSecrets } from "../sframe/sframe.ts"

const LABEL = "keymoot v1 media"
const SECRET_BYTES = 32
/**
 * Counters of one media worker under one key: frames of months. A member that enters the call again in the same view
 * gets the same key in another worker. Beyond 2^53 frames are refused, so counters never start again.
 */
const COUNTERS_PER_WORKER = 2 ** 36

/**
 * Longest time that this member's proof of a key waits for its media worker. Then the proof is sent without it: a
 * worker that hangs must not keep the conference from its key. Such a worker is waited for again once it replies.
 */
export const INSTALL_MS_MAX = 300

/** Used part of a `MessagePort` whose other end is in the media worker. */
export type KeyPort = {
  postMessage(message: MediaKeyMessage): void
  addEventListener(type: "message", listener: (event: { readonly data: MediaKeyReply }) => void): void
  start(): void
  close(): void
}

export type MediaKeysConfig = {
  readonly self: MediaMember
  /** Viewers may not publish. */
  readonly rules: Pick<EntryRules, "role" | "isRemoved">
  /** Keys could not be imported. */
  readonly faults: Faults
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
  /** Sends this member's proof of the present view's key. Null if it does not wait for the media worker. */
  #prove: (() => void) | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Whether the present worker has let a proof wait for `INSTALL_MS_MAX`, and not replied since. */
  #isSilent = false

  constructor(config: MediaKeysConfig) {
    this.#config = config
    this.#queue = new SerialQueue(config.faults.fail)
  }

  /**
   * Sends the keys of the present view and all later ones to this port. It replaces a former port. Null: the call is
   * over.
   */
  attach(port: KeyPort | null): void {
    this.#port?.close()
    this.#port = port
    this.#isSilent = false
    if (!port) return this.#endWaiting()
    port.addEventListener("message", ({ data }) => this.#onInstalled(port, data.view))
    port.start()
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

  /**
   * Roles may have changed, or members been removed. The media worker drops the frames of viewers, and those from and to
   * removed members, whatever the page does.
   */
  onRoles(): void {
    const { rules } = this.#config
    const all = this.#view?.members.map(({ member }) => member) ?? []
    const removed = all.filter((member) => rules.isRemoved(member))
    const members = all.filter((member) => rules.role(member) !== "viewer" && !removed.includes(member))
    this.#post({ type: "speakers", members, removed })
  }

  /** Reads `epochKey` and keeps nothing of it. */
  onKeyed(view: View, epochKey: Uint8Array): void {
    this.#secret = mediaSecretOf(epochKey, view)
    this.#postKeys()
  }

  /**
   * Calls `prove` once the media worker has the keys of the present view, so it has stopped using those of members that
   * left. Without a worker that happens at once, and never if the view changes before.
   */
  onceInstalled(prove: () => void): void {
    if (!this.#port || this.#isSilent) return prove()
    this.#prove = prove
    this.#timer = setTimeout(() => {
      this.#isSilent = true
      this.#endWaiting()
    }, INSTALL_MS_MAX)
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

  /** Only the reply for the present view says that the former keys have stopped. */
  #onInstalled(port: KeyPort, view: string): void {
    if (port !== this.#port) return
    this.#isSilent = false
    if (view === this.#view?.id) this.#endWaiting()
  }

  #endWaiting(): void {
    const prove = this.#prove
    this.#stopWaiting()
    prove?.()
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer)
    this.#prove = null
  }

  #postKeys(): void {
    const view = this.#view
    const secret = this.#secret
    if (!this.#port || !view || !secret) return
    const raw = view.members.map((_, index) => senderSecrets(secret, view, index))
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
    this.#stopWaiting()
    this.#secret?.fill(0)
    this.#secret = null
    this.#isSecured = false
    this.#keyedWorkers = 0
  }
}

/** Secret of a view from which the keys of its senders are derived. */
export function mediaSecretOf(epochKey: Uint8Array, { id }: { readonly id: string }): Uint8Array {
  return exportKey(epochKey, LABEL, hexToBytes(id), SECRET_BYTES)
}

/** @param secret of `mediaSecretOf` */
export function senderSecrets(secret: Uint8Array, view: MediaView, index: number) {
  const { member, incarnation } = view.members[index]!
  const keyId = keyIdOf(view, index)
  const baseKey = exportKey(secret, LABEL, senderContext(member, incarnation), SECRET_BYTES)
  const secrets = { keyId, ...sframeSecrets(baseKey, keyId) }
  baseKey.fill(0)
  return secrets
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
