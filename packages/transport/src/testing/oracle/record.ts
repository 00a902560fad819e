import type { TraceEvent } from "./trace.ts"

export type Violation = { readonly property: string; readonly detail: string; readonly t: number }

export type ViewEvent = Extract<TraceEvent, { e: "view" }>

export type Sent = {
  readonly m: string
  readonly by: string
  readonly view: string
  readonly service: string
  /** Number among its sender's messages in the view. Unreliable ones are numbered separately. */
  readonly number: number
  /** Number of messages that its sender had delivered, as an index into its `delivered`. */
  readonly past: number
}

export type Delivered = {
  readonly sent: Sent
  /** 0 for a leftover and for services without order. */
  readonly g: number
  readonly afterTrans: boolean
  readonly t: number
}

/** One member in one view, from the view's installation to the next view, crash or end. */
export type Stay = {
  readonly member: string
  readonly view: ViewEvent
  /** Unreliable messages are kept separately. */
  readonly delivered: Delivered[]
  readonly position: Map<string, number>
  readonly newestUnreliable: Map<string, number>
  readonly sent: Sent[]
  unreliableSent: number
  flushRequested: boolean
  flushed: boolean
  trans: number
  /** The view installed directly from this one. */
  next: ViewEvent | null
  crashed: boolean
}

/** A run in the form that the properties are checked on. */
export type Run = {
  readonly sent: ReadonlyMap<string, Sent>
  /** By view id. */
  readonly stays: ReadonlyMap<string, readonly Stay[]>
  /** The last view of each member. */
  readonly last: ReadonlyMap<string, Stay>
  /** Per view id: the members that hold its key. */
  readonly keyed: ReadonlyMap<string, ReadonlySet<string>>
  readonly calm: Extract<TraceEvent, { e: "calm" }> | null
}

export type Fail = (property: string, detail: string, t?: number) => void

export function isOrderedService(service: string): boolean {
  return service === "agreed" || service === "safe"
}

export function hasCausalPast(service: string): boolean {
  return service === "causal" || isOrderedService(service)
}

const sets = new WeakMap<readonly string[], ReadonlySet<string>>()

/** Set of names, memoized per list: those of large views are needed at every delivery. */
export function setOf(names: readonly string[]): ReadonlySet<string> {
  let set = sets.get(names)
  if (!set) sets.set(names, (set = new Set(names)))
  return set
}
