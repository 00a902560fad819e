/** Trace events: what a layer reports about itself, for a person who has to find out why something happened. */
import type { MemberId } from "../members/ids.ts"

/** warn: a fault of a member or of this program. info: rare changes. debug: steps of the protocols. */
export type TraceLevel = "warn" | "info" | "debug"
export type TraceLayer = "network" | "group" | "secure-group" | "admission" | "content"

/**
 * A value that an event may hold: a number, an id or a word from a fixed list. Plain text becomes `never`, so the
 * compiler rejects it. It could be a key, a name or content.
 */
type Traceable<V> = V extends string
  ? string extends V
    ? never
    : V
  : V extends number | boolean | null
    ? V
    : V extends readonly MemberId[]
      ? V
      : never

/** Declares the events of a layer from their names and ids. */
export type DeclaredEvent<Layer extends TraceLayer, Events> = {
  [Name in keyof Events]: {
    readonly level: TraceLevel
    readonly layer: Layer
    readonly event: Name
    readonly ids: { readonly [Id in keyof Events[Name]]: Traceable<Events[Name][Id]> }
  }
}[keyof Events]
