import { equalBytes } from "@noble/curves/utils.js"
import type { MemberId } from "../members/ids.ts"
import type { GroupFrame } from "../ordering/frame-store.ts"
import { UNSTABLE_BUDGET_BYTES } from "../ordering/window.ts"
import { BLAME_MAX } from "../liveness/blame.ts"
import type { ViewId } from "../wire/codec.ts"
import type { CoreContext } from "../membership/core-context.ts"
import { indexOfMember } from "../view/view.ts"

/** Upper bound of bytes shown to one member in one view, also with few members: a link has no room for more. */
export const SHOWN_BYTES_MAX = 4 * 1024 * 1024
/**
 * Bytes shown to all members together, divided among them. It is four windows of a sender for each. Mostly no more is
 * held of one (`heldBytesMax`).
 */
export const SHOWN_BUDGET_BYTES = 4 * UNSTABLE_BUDGET_BYTES

/**
 * Bytes shown to one member in one view, so a false claim to hold another frame costs no more. Each member has its own
 * share. Otherwise a member that makes false claims would use up the evidence that convicts an equivocating sender. One
 * frame may exceed the bound by at most its own length, so none is too long to be shown.
 */
export function shownBytesMax(memberCount: number): number {
  return Math.min(SHOWN_BYTES_MAX, Math.floor(SHOWN_BUDGET_BYTES / memberCount))
}

/**
 * Evidence of equivocation: frames under whose numbers another member holds different ones, as its hashes show. They
 * are shown to that member, and kept for comparison with the frames that it shows. Two different signed frames convict
 * their sender, which is left out. They are kept until the end of the next view, since either member may have changed
 * views before the other's frames come.
 */
export class FrameEvidence {
  readonly #context: CoreContext
  /** By view, origin and number. */
  readonly #kept = new Map<string, GroupFrame>()
  /** Pairs of a member and a sender of which frames were shown to it. */
  readonly #shown = new Set<string>()
  /** Bytes shown to each member. */
  readonly #shownBytes = new Map<MemberId, number>()
  /** Per member: its and this member's counts of received frames when their hashes last agreed. */
  readonly #agreed = new Map<MemberId, { readonly theirs: readonly number[]; readonly own: readonly number[] }>()
  /** By view, origin and reason. */
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

  /** The hashes of a member with these counts agree with those here, up to the lower count of each sender. */
  agree(from: MemberId, theirs: readonly number[], own: readonly number[]): void {
    this.#agreed.set(from, { theirs, own })
  }

  /**
   * Shows frames to a member with these counts whose frames of `senders` differ from those here. Frames after the last
   * agreement come first: otherwise a sender could use up the share with many frames before it lies.
   */
  show(to: MemberId, senders: readonly number[], received: readonly number[]): void {
    const { view, log, config } = this.#context
    for (const sender of senders) {
      const origin = view.members[sender]!.id
      if (origin === to || origin === config.self.id || this.#shown.has(`${to} ${origin}`)) continue
      this.#shown.add(`${to} ${origin}`)
      const stable = log.frames.received[sender]! - log.frames.held(sender).frames
      const agreed = Math.max(stable, this.#agreedOn(to, sender))
      if (this.#showAll(to, sender, agreed, received[sender]!)) this.#showAll(to, sender, stable, agreed)
    }
  }

  /** Number of the sender's frames that were compared and were equal. */
  #agreedOn(member: MemberId, sender: number): number {
    const { theirs, own } = this.#agreed.get(member) ?? { theirs: [], own: [] }
    // Beyond the own count there was nothing to compare with.
    const [compared = 0, held = 0] = [theirs[sender], own[sender]]
    return compared <= held ? compared : 0
  }

  /** Shows the frames after `from` up to `to`. Returns false if no more can be shown. */
  #showAll(member: MemberId, sender: number, from: number, to: number): boolean {
    for (let sequence = from + 1; sequence <= to; sequence++) {
      const frame = this.#context.log.frames.frame(sender, sequence)
      if (!frame || !this.#show(member, frame)) return false
    }
    return true
  }

  #show(to: MemberId, frame: GroupFrame): boolean {
    const { view } = this.#context
    const shownBytes = this.#shownBytes.get(to) ?? 0
    if (shownBytes >= shownBytesMax(view.members.length)) return false
    this.#shownBytes.set(to, shownBytes + frame.bytes.length)
    this.#kept.set(keyOf(frame), frame)
    this.#context.emit({ type: "send", to: [to], bytes: frame.bytes, how: "reliable" })
    return true
  }

  /** Compares a frame of the present view or the former one, also a repeated one. */
  judge(from: MemberId, frame: GroupFrame): void {
    if (frame.service === "unreliable") return
    const here = this.#here(frame)
    if (!here || equalBytes(here.staticPart, frame.staticPart) || !this.convict(frame, here)) return
    // The member that forwarded the frame may not know of the equivocation. The two frames convict the origin there
    // too.
    if (from !== frame.origin) this.#show(from, here)
  }

  #here(frame: GroupFrame): GroupFrame | undefined {
    const { view, log } = this.#context
    const { id, members } = view
    const held = frame.view === id ? log.frames.frame(indexOfMember(members, frame.origin), frame.sequence) : undefined
    // Fast path: nearly always nothing is kept, and every frame passes here.
    return held ?? (this.#kept.size > 0 ? this.#kept.get(keyOf(frame)) : undefined)
  }

  /**
   * True once per view and origin, for signed frames and others. Leaves out the sender of two signed frames, and shows
   * them to the others. Otherwise a member without this proof would stay with the sender, apart from the others.
   */
  convict(frame: GroupFrame, other: GroupFrame): boolean {
    const { view, origin } = frame
    const { signsData = true } = this.#context.config
    const isSigned = signsData || (frame.kind === "agreement" && other.kind === "agreement")
    const reason = isSigned ? "conflicting-frames" : "conflicting-unsigned-frames"
    const key = `${view} ${origin} ${reason}`
    if (this.#convicted.has(key)) return false
    this.#convicted.add(key)
    this.#context.emit({ type: "fault", member: origin, reason })
    if (!isSigned) return true
    for (const { id } of this.#context.view.members) {
      if (id !== origin && id !== this.#context.config.self.id) for (const each of [frame, other]) this.#show(id, each)
    }
    this.#context.blame(origin, BLAME_MAX)
    return true
  }
}

function keyOf({ view, origin, sequence }: GroupFrame): string {
  return `${view} ${origin} ${sequence}`
}
