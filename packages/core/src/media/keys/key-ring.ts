/**
 * Keys for the frames of one member: which key encrypts, and which ones may decrypt. It follows the views of the group.
 * Every answer is a key or a refusal. There is no answer that lets a frame pass unencrypted.
 */
import { type MemberId, ReplayWindow } from "@keymoot/transport"
import { REPLAY_WINDOW_BATCHES } from "../../multicast/batch.ts"
import { indexIn, isSameMember, type MediaMember, type MediaSource, type MediaView } from "./media-view.ts"

/** Time that the former receiving keys are kept after a view is secured, for frames that are still in flight. */
export const FORMER_KEYS_MS = 2000
/**
 * Time after a secured leave in which a frame in flight may still come under the former key. A browser sends a key frame
 * over about 140 ms.
 */
export const IN_FLIGHT_MS = 250
/**
 * Time from the last proof to the use of the next sending key, if members have only joined. A member proves a key before
 * its media worker has it: in Firefox the worker's messages pass another process.
 */
export const SWITCH_AFTER_MS = 500
/** Largest number of views with receiving keys. Views that never get a key can follow each other quickly. */
export const MEDIA_EPOCHS_MAX = 4
/** Largest number of secured views that are kept besides. Members send under one of them until the next one is secured. */
export const SECURED_EPOCHS_MAX = 2

export type KeyRingInput<Key> =
  /** A view is installed. It has no key yet. */
  | { readonly type: "view"; readonly view: MediaView }
  /** This member has computed the key of the view. `keys` has the order of its members. */
  | {
      readonly type: "keyed"
      readonly view: string
      readonly keys: readonly Key[]
      /** This member sends under counters from this one on. */
      readonly firstCounter: number
    }
  /** Every member has proved the key of the view. */
  | { readonly type: "secured"; readonly view: string; readonly nowMs: number }
  /** Members that may publish, and those that get nothing more. All others are viewers. */
  | { readonly type: "speakers"; readonly members: readonly MemberId[]; readonly removed: readonly MemberId[] }
  | { readonly type: "tick"; readonly nowMs: number }

type Epoch<Key> = {
  readonly view: MediaView
  /** Null until the view is keyed. An entry is null if its member has left. */
  keys: (ReceivingKey<Key> | null)[] | null
  firstCounter: number
  isSecured: boolean
  /** From when on a member of it is absent from a secured view. Frames that arrive then are refused. */
  formerAtMs: number
  retiresAtMs: number
}

/** `view`: whose members have the key. `counter`: of the next frame. */
export type SendingKey<Key> = { readonly view: MediaView; readonly key: Key; counter: number }

export type ReceivingKey<Key> = {
  readonly key: Key
  /** Each source has one, since its frames arrive in their own order. */
  readonly replays: Readonly<Record<MediaSource, ReplayWindow>>
}

/**
 * unknown: the key may still come. foreign: the key id belongs to another member, or the sender is in no view.
 * not-permitted: the sender is a viewer. former: an absent member knows the key, and the sender has the next one.
 */
export type Receiving<Key> = ReceivingKey<Key> | "unknown" | "foreign" | "not-permitted" | "former"

export class KeyRing<Key> {
  readonly #self: MediaMember
  /** Newest first. */
  #epochs: Epoch<Key>[] = []
  #sending: SendingKey<Key> | null = null
  /** Replaces the sending key at its time. Null if that has happened. */
  #next: (SendingKey<Key> & { readonly fromMs: number }) | null = null
  /** Empty until the engine has named them. */
  #speakers: ReadonlySet<MemberId> = new Set()
  #removed: ReadonlySet<MemberId> = new Set()

  constructor(self: MediaMember) {
    this.#self = self
  }

  step(input: KeyRingInput<Key>): void {
    switch (input.type) {
      case "view":
        return this.#install(input.view)
      case "keyed":
        return this.#take(input.view, input.keys, input.firstCounter)
      case "secured":
        return this.#secure(input.view, input.nowMs)
      case "speakers":
        this.#speakers = new Set(input.members)
        this.#removed = new Set(input.removed)
        return
      case "tick":
        this.#epochs = this.#epochs.filter(({ retiresAtMs }) => retiresAtMs > input.nowMs)
        if (this.#next && input.nowMs >= this.#next.fromMs) this.#switch()
    }
  }

  /**
   * Key for the next frame to this member and its counter, unique under that key. Null means: hold the frame. A member
   * that has just joined does not have the former key, so it gets the next one at once.
   */
  nextSending(to: MediaMember): Readonly<SendingKey<Key>> | null {
    const has = this.#sending?.view.members.some((member) => isSameMember(member, to))
    const sending = has ? this.#sending : (this.#next ?? this.#sending)
    return sending && { view: sending.view, key: sending.key, counter: sending.counter++ }
  }

  /** Whether a member that has the keys of this view is absent now. Nothing more may be sent under them. */
  isRevoked({ members }: MediaView): boolean {
    return members.some((member) => !this.#isHere(member))
  }

  /** Whether a key id names a view that has an absent member. */
  namesRevoked(keyId: number): boolean {
    const epoch = this.#epochs.find(({ view }) => indexIn(view, keyId) !== null)
    return epoch !== undefined && this.isRevoked(epoch.view)
  }

  /** True if there is a key for the next frame. */
  get hasSendingKey(): boolean {
    return this.#sending !== null
  }

  get mayPublish(): boolean {
    return this.#speakers.has(this.#self.member)
  }

  /** Whether this member may send frames to that one. */
  maySendTo({ member }: MediaMember): boolean {
    return this.mayPublish && !this.#removed.has(member)
  }

  /**
   * Key for a frame with this key id. If a member has left, senders stop using their former keys before they prove the
   * next one. Later frames under such a key were in flight. They are refused from the first frame of that source under
   * the next key on, and at the latest `IN_FLIGHT_MS` after all proofs.
   * @param from the member at the other end of the connection, which its pinned fingerprint has authenticated
   */
  receiving(from: MediaMember, source: MediaSource, keyId: number, arrivedAtMs: number): Receiving<Key> {
    if (!this.#isHere(from)) return "foreign"
    if (!this.#speakers.has(from.member)) return "not-permitted"
    let hasSwitched = false
    for (const { view, keys, formerAtMs } of this.#epochs) {
      const index = indexIn(view, keyId)
      if (index === null) {
        const own = view.members.findIndex((member) => isSameMember(member, from))
        hasSwitched ||= keys?.[own]?.replays[source].isUsed ?? false
        continue
      }
      const named = view.members[index]
      if (!named || !isSameMember(named, from)) return "foreign"
      if (arrivedAtMs >= formerAtMs || (hasSwitched && formerAtMs < Infinity)) return "former"
      return keys?.[index] ?? "unknown"
    }
    return "unknown"
  }

  /** Drops all keys. */
  erase(): void {
    this.#epochs = []
    this.#sending = this.#next = null
  }

  #install(view: MediaView): void {
    const [former] = this.#epochs
    if (this.#epochs.some(({ view: { id } }) => id === view.id)) return
    const secured = this.#epochs.filter(({ isSecured }) => isSecured).slice(0, SECURED_EPOCHS_MAX)
    const isKept = (each: Epoch<Key>, index: number): boolean => index < MEDIA_EPOCHS_MAX || secured.includes(each)
    this.#epochs = [newEpoch<Key>(view), ...this.#epochs].filter(isKept)
    // A member that has left holds the sending key. Nothing more is encrypted under it.
    if (former && this.isRevoked(former.view)) this.#sending = this.#next = null
    for (const { view: of, keys } of this.#epochs)
      for (const [index, member] of of.members.entries()) if (keys && !this.#isHere(member)) keys[index] = null
  }

  #take(view: string, keys: readonly Key[], firstCounter: number): void {
    const epoch = this.#epochs.find(({ view: { id } }) => id === view)
    if (!epoch || epoch.keys || keys.length !== epoch.view.members.length) return
    epoch.firstCounter = firstCounter
    epoch.keys = keys.map((key, index) => {
      const replays = {
        microphone: new ReplayWindow(REPLAY_WINDOW_BATCHES),
        camera: new ReplayWindow(REPLAY_WINDOW_BATCHES),
        screen: new ReplayWindow(REPLAY_WINDOW_BATCHES),
        "screen-audio": new ReplayWindow(REPLAY_WINDOW_BATCHES),
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
    if (own && this.#sending?.key !== own.key && this.#next?.key !== own.key) {
      if (this.#next) this.#switch()
      this.#next = { view: newest.view, key: own.key, counter: newest.firstCounter, fromMs: nowMs + SWITCH_AFTER_MS }
      if (!this.#sending) this.#switch()
    }
    for (const epoch of former) {
      epoch.retiresAtMs = Math.min(epoch.retiresAtMs, nowMs + FORMER_KEYS_MS)
      if (this.isRevoked(epoch.view)) epoch.formerAtMs = Math.min(epoch.formerAtMs, nowMs + IN_FLIGHT_MS)
    }
  }

  #switch(): void {
    this.#sending = this.#next
    this.#next = null
  }

  /** Whether the newest view has this member in this incarnation. */
  #isHere(member: MediaMember): boolean {
    return this.#epochs[0]?.view.members.some((each) => isSameMember(each, member)) ?? false
  }
}

function newEpoch<Key>(view: MediaView): Epoch<Key> {
  return { view, keys: null, firstCounter: 0, isSecured: false, formerAtMs: Infinity, retiresAtMs: Infinity }
}
