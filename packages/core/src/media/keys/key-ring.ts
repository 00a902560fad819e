/**
 * Keys for the frames of one member: which key encrypts, and which ones may decrypt. It follows the views of the group.
 * Every answer is a key or a refusal. There is no answer that lets a frame pass unencrypted.
 */
import type { MemberId } from "@keymoot/transport"
import { ReplayWindow } from "../../multicast/replay-window.ts"
import { indexIn, isSameMember, type MediaMember, type MediaSource, type MediaView } from "./media-view.ts"

/** Time that the former receiving keys are kept after a view is secured, for frames that are still in flight. */
export const FORMER_KEYS_MS = 2000
/** Largest number of views with receiving keys. Views that never get a key can follow each other quickly. */
export const MEDIA_EPOCHS_MAX = 4

export type KeyRingInput<Key> =
  /** A view is installed. It has no key yet. */
  | { readonly type: "view"; readonly view: MediaView }
  /** This member has computed the key of the view. `keys` has the order of its members. */
  | { readonly type: "keyed"; readonly view: string; readonly keys: readonly Key[] }
  /** Every member has proved the key of the view. */
  | { readonly type: "secured"; readonly view: string; readonly nowMs: number }
  /** Members that may publish. All others are viewers. */
  | { readonly type: "speakers"; readonly members: readonly MemberId[] }
  | { readonly type: "tick"; readonly nowMs: number }

type Epoch<Key> = {
  readonly view: MediaView
  /** Null until the view is keyed. An entry is null if its member has left. */
  keys: (ReceivingKey<Key> | null)[] | null
  /** Every member has proved the key. */
  isSecured: boolean
  retiresAtMs: number
}

export type ReceivingKey<Key> = {
  readonly key: Key
  /** Each source has one, since its frames arrive in their own order. */
  readonly replays: Readonly<Record<MediaSource, ReplayWindow>>
}

/**
 * unknown: the key may still come. foreign: the key id belongs to another member, or the sender is in no view.
 * not-permitted: the sender is a viewer.
 */
export type Receiving<Key> = ReceivingKey<Key> | "unknown" | "foreign" | "not-permitted"

export class KeyRing<Key> {
  readonly #self: MediaMember
  /** Newest first. */
  #epochs: Epoch<Key>[] = []
  #sending: { readonly key: Key; counter: number } | null = null
  /** Empty until the engine has named them. */
  #speakers: ReadonlySet<MemberId> = new Set()

  constructor(self: MediaMember) {
    this.#self = self
  }

  step(input: KeyRingInput<Key>): void {
    switch (input.type) {
      case "view":
        return this.#install(input.view)
      case "keyed":
        return this.#take(input.view, input.keys)
      case "secured":
        return this.#secure(input.view, input.nowMs)
      case "speakers":
        this.#speakers = new Set(input.members)
        return
      case "tick":
        this.#epochs = this.#epochs.filter(({ retiresAtMs }) => retiresAtMs > input.nowMs)
    }
  }

  /** Key for the next frame and its counter, unique under that key. Null means: hold the frame. */
  nextSending(): { readonly key: Key; readonly counter: number } | null {
    const sending = this.#sending
    return sending && { key: sending.key, counter: sending.counter++ }
  }

  /** True if there is a key for the next frame. */
  get hasSendingKey(): boolean {
    return this.#sending !== null
  }

  /** Whether this member may publish. */
  get mayPublish(): boolean {
    return this.#speakers.has(this.#self.member)
  }

  /** @param from the member at the other end of the connection, which its pinned fingerprint has authenticated */
  receiving(from: MediaMember, keyId: number): Receiving<Key> {
    if (!this.#isHere(from)) return "foreign"
    if (!this.#speakers.has(from.member)) return "not-permitted"
    for (const { view, keys } of this.#epochs) {
      const index = indexIn(view, keyId)
      if (index === null) continue
      const named = view.members[index]
      if (!named || !isSameMember(named, from)) return "foreign"
      return keys?.[index] ?? "unknown"
    }
    return "unknown"
  }

  /**
   * Whether an absent member knows the key of this id although the present view is secured. All its members have stopped
   * to send under that key, so only frames in flight have it.
   */
  isOutdated(keyId: number): boolean {
    const epoch = this.#epochs.find(({ view }) => indexIn(view, keyId) !== null)
    if (!epoch || !this.#epochs[0]?.isSecured) return false
    return epoch.view.members.some((member) => !this.#isHere(member))
  }

  /** Drops all keys. */
  erase(): void {
    this.#epochs = []
    this.#sending = null
  }

  #install(view: MediaView): void {
    const [former] = this.#epochs
    if (this.#epochs.some(({ view: { id } }) => id === view.id)) return
    const epoch: Epoch<Key> = { view, keys: null, isSecured: false, retiresAtMs: Infinity }
    this.#epochs = [epoch, ...this.#epochs].slice(0, MEDIA_EPOCHS_MAX)
    // A member that has left holds the sending key. Nothing more is encrypted under it.
    if (former?.view.members.some((member) => !this.#isHere(member))) this.#sending = null
    for (const { view: of, keys } of this.#epochs)
      for (const [index, member] of of.members.entries()) if (keys && !this.#isHere(member)) keys[index] = null
  }

  #take(view: string, keys: readonly Key[]): void {
    const epoch = this.#epochs.find(({ view: { id } }) => id === view)
    if (!epoch || epoch.keys || keys.length !== epoch.view.members.length) return
    epoch.keys = keys.map((key, index) => {
      const replays = {
        microphone: new ReplayWindow(),
        camera: new ReplayWindow(),
        screen: new ReplayWindow(),
        "screen-audio": new ReplayWindow(),
      }
      return this.#isHere(epoch.view.members[index]!) ? { key, replays } : null
    })
  }

  #secure(view: string, nowMs: number): void {
    const [newest, ...former] = this.#epochs
    if (newest?.view.id !== view || !newest.keys) return
    newest.isSecured = true
    const own = newest.keys[newest.view.members.findIndex((member) => isSameMember(member, this.#self))]
    // A counter must never start again under one key.
    if (own && this.#sending?.key !== own.key) this.#sending = { key: own.key, counter: 0 }
    for (const epoch of former) epoch.retiresAtMs = Math.min(epoch.retiresAtMs, nowMs + FORMER_KEYS_MS)
  }

  /** Whether the newest view has this member in this incarnation. */
  #isHere(member: MediaMember): boolean {
    return this.#epochs[0]?.view.members.some((each) => isSameMember(each, member)) ?? false
  }
}
