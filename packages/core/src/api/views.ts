import type { Member } from "./members.ts"

/**
 * joining: no link to anybody yet, or alone and looking; agreeing: a view is there, its key is not;
 * keyed: this member holds the key; secured: every member has proved that it does, and application data flows.
 */
export type ViewStatus = "joining" | "agreeing" | "keyed" | "secured"

export type ConferenceView = {
  /** Hex, 64 digits; equal at all members of the view. */
  readonly id: string
  /** Grows with every view; equal on every screen. */
  readonly epoch: number
  readonly status: ViewStatus
  /** Sorted by id, this member included. */
  readonly members: readonly Member[]
  /** Milliseconds since 1970 of the moment when this view was secured here; null before. */
  readonly securedAtMs: number | null
}

export type ViewChange = {
  readonly joined: readonly Member[]
  readonly left: readonly Member[]
  /** Of those who left: who did so without a goodbye, and was not removed. They may be cut off, and go on by themselves; they may come back. */
  readonly lost: readonly Member[]
  /** Of those who left: whom a host removed. They cannot come back. */
  readonly removed: readonly Member[]
  /** created: the first view; joined, left, changed: by what happened to the members; refreshed: the same members, a new key. */
  readonly cause: "created" | "joined" | "left" | "changed" | "refreshed"
}
