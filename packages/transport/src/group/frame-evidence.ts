import { equalBytes } from "@noble/curves/utils.js"
import type { MemberId } from "../ids.ts"
import type { GroupFrame } from "../ordering/frame-store.ts"
import { UNSTABLE_BUDGET_BYTES } from "../ordering/window.ts"
import type { ViewId } from "../wire/codec.ts"
import type { CoreContext } from "./types.ts"
import { indexOfMember } from "./view.ts"

/** Shown to one member in one view, however few there are: a link has no room for more. */
export const SHOWN_BYTES_MAX = 4 * 1024 * 1024
/** To all members together, shared out among them: to each four windows of a sender, of whom mostly no more is held (`heldBytesMax`). */
export const SHOWN_BUDGET_BYTES = 4 * UNSTABLE_BUDGET_BYTES

/**
 * Shown to one member in one view: a claim to hold something else costs no more. Each has a share of its own, or one that
 * claims it for nothing would use up what convicts those who lie to others. One frame passes it by at most its own length,
 * so that none is too long to be shown.
 */
export function shownBytesMax(memberCount: number): number {
  return Math.min(SHOWN_BYTES_MAX, Math.floor(SHOWN_BUDGET_BYTES / memberCount))
}

/**
 * Frames under whose numbers somebody holds others, as its hashes show. They are shown there, and kept to be compared with
 * what is shown here: two of them, both signed, convict their sender. Until the end of the next view, as either may have
 * gone on before the other's come.
 */
export class FrameEvidence {
  readonly #context: CoreContext
  /** By view, origin and number. */
  readonly #kept = new Map<string, GroupFrame>()
  /** To whom of whom something was shown. */
  readonly #shown = new Set<string>()
  /** To whom how much was shown. */
  readonly #shownBytes = new Map<MemberId, number>()
  /** Of each: what it, and what this member, had received when its hashes last differed nowhere. */
  readonly #agreed = new Map<MemberId, { readonly theirs: readonly number[]; readonly own: readonly number[] }>()
  /** By view and origin. */
  readonly #convicted = new Set<string>()
  #former: ViewId | null = null

  constructor(context: CoreContext) {
    this.#context = context
  }

  /** The view before the present one. */
  get former(): ViewId | null {
    return this.#former
  }

  onInstalled(former: ViewId): void {
    this.#former = former
    this.#shown.clear()
    this.#shownBytes.clear()
    this.#agreed.clear()
    for (const key of this.#kept.keys()) if (!key.startsWith(former)) this.#kept.delete(key)
    for (const key of this.#convicted) if (!key.startsWith(former)) this.#convicted.delete(key)
  }

  /** The hashes of one that has received so many frames of each sender differ nowhere from those here, where so many have been. */
  agree(from: MemberId, theirs: readonly number[], own: readonly number[]): void {
    this.#agreed.set(from, { theirs, own })
  }

  /**
   * To one who has received so many frames of each sender, and of these senders not the same as this member. First what came
   * after the two agreed: a sender that says much before it lies would use up the share.
   */
  show(to: MemberId, senders: readonly number[], received: readonly number[]): void {
    const { view, log, config } = this.#context
    for (const sender of senders) {
      const origin = view().members[sender]!.id
      if (origin === to || origin === config.self.id || this.#shown.has(`${to} ${origin}`)) continue
      this.#shown.add(`${to} ${origin}`)
      const stable = log().received[sender]! - log().held(sender).frames
      const agreed = Math.max(stable, this.#agreedOn(to, sender))
      if (this.#showAll(to, sender, agreed, received[sender]!)) this.#showAll(to, sender, stable, agreed)
    }
  }

  /** How many frames of the sender were compared and were the same. */
  #agreedOn(member: MemberId, sender: number): number {
    const { theirs, own } = this.#agreed.get(member) ?? { theirs: [], own: [] }
    // Beyond one's own there was nothing to compare with.
    const [compared = 0, held = 0] = [theirs[sender], own[sender]]
    return compared <= held ? compared : 0
  }

  /** Those behind the `from`th up to the `to`th. False: no more can be shown. */
  #showAll(member: MemberId, sender: number, from: number, to: number): boolean {
    for (let sequence = from + 1; sequence <= to; sequence++) {
      const frame = this.#context.log().frame(sender, sequence)
      if (!frame || !this.#show(member, frame)) return false
    }
    return true
  }

  #show(to: MemberId, frame: GroupFrame): boolean {
    const { view, emit } = this.#context
    const shownBytes = this.#shownBytes.get(to) ?? 0
    if (shownBytes >= shownBytesMax(view().members.length)) return false
    this.#shownBytes.set(to, shownBytes + frame.bytes.length)
    this.#kept.set(keyOf(frame), frame)
    emit({ type: "send", to: [to], bytes: frame.bytes, how: "reliable" })
    return true
  }

  /** A frame of the present view or the former one has come, if not for the first time. */
  judge(from: MemberId, frame: GroupFrame): void {
    if (frame.service === "unreliable") return
    const here = this.#here(frame)
    if (!here || equalBytes(here.staticPart, frame.staticPart) || !this.convict(frame)) return
    // What convicts its sender here does so there: it may not know yet.
    if (from !== frame.origin) this.#show(from, here)
  }

  #here(frame: GroupFrame): GroupFrame | undefined {
    const { view, log } = this.#context
    const { id, members } = view()
    const held = frame.view === id ? log().frame(indexOfMember(members, frame.origin), frame.sequence) : undefined
    // Nearly always nothing is kept, and every frame comes by here.
    return held ?? (this.#kept.size > 0 ? this.#kept.get(keyOf(frame)) : undefined)
  }

  /** Told once a view, however often it is shown. */
  convict({ view, origin }: GroupFrame): boolean {
    const key = `${view} ${origin}`
    if (this.#convicted.has(key)) return false
    this.#convicted.add(key)
    this.#context.emit({ type: "fault", member: origin, reason: "conflicting-frames" })
    return true
  }
}

function keyOf({ view, origin, sequence }: GroupFrame): string {
  return `${view} ${origin} ${sequence}`
}
