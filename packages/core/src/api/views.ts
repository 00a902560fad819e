import type { MemberId } from "@keymoot/transport"
import type { Member } from "./members.ts"

/**
 * - joining: no link yet, or alone and searching.
 * - agreeing: there is a view without a key.
 * - keyed: this member holds the key.
 * - secured: every member has proved that it holds the key, and application data flows.
 */
export type ViewStatus = "joining" | "agreeing" | "keyed" | "secured"

export type ConferenceView = {
  /** Hex, 64 digits. Equal at all members of the view. */
  readonly id: string
  /** Increases with every view. Equal at all members. */
  readonly epoch: number
  readonly status: ViewStatus
  /** Sorted by id, this member included. */
  readonly members: readonly Member[]
  /**
   * Members whose name equals that of another person in the view, or looks like it. Only a comparison of codes says
   * which one is meant.
   */
  readonly namesakes: readonly MemberId[]
  /** Time when this view was secured here, milliseconds since 1970; null before. */
  readonly securedAtMs: number | null
}

export type ViewChange = {
  readonly joined: readonly Member[]
  readonly left: readonly Member[]
  /**
   * Subset of those that left: without a goodbye and not removed. They may be disconnected, continue by themselves, and
   * come back.
   */
  readonly lost: readonly Member[]
  /** Subset of those that left: removed by a host. They cannot come back. */
  readonly removed: readonly Member[]
  /** created: the first view; joined, left, changed: by the change of members; refreshed: same members, new key. */
  readonly cause: "created" | "joined" | "left" | "changed" | "refreshed"
}
