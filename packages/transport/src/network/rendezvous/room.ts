import { ADVERTISE_MISSING_MS, ADVERTISE_MS, ADVERTISE_SOON_MS, ENTER_RETRY_MS } from "../../bounds/network-bounds.ts"
import { jittered, type Randomness } from "../shared/randomness.ts"

/** Null: another machine decides when to advertise, after the first advertisements of an entry. */
export type Missing = boolean | null

export type RoomInput =
  | { readonly type: "server"; readonly state: "up" | "down" }
  | { readonly type: "entered"; readonly entry: number; readonly ok: boolean }
  /** `missing`: a member seems to be present to which there is no link. */
  | { readonly type: "tick"; readonly missing: Missing }

export type RoomOutput =
  /** Enter under `address` (16 random bytes), then answer with `entered`. */
  { readonly type: "enter"; readonly entry: number; readonly address: Uint8Array } | { readonly type: "advertise" }

type RoomState =
  | { readonly name: "outside" }
  | { readonly name: "entering"; readonly entry: number; readonly sinceMs: number; readonly retryAtMs: number }
  | {
      readonly name: "inside"
      readonly entry: number
      readonly advertised: number
      readonly advertisedAtMs: number
      /** Drawn for each advertisement. */
      readonly jitter: number
    }

/**
 * Presence on the emulated bus of the room. Each entry has a fresh address (and in the mesh a fresh card),
 * so nothing sent to a former entry is valid in the next.
 *
 * The first advertisement follows the entry without waiting for the answer, which saves newcomers a round trip. A
 * server executes requests of a connection in order, and one that refuses the entry refuses this too.
 *
 * Advertising never ends, since no member can know that none is missing. It is rare, and cheap for linked members.
 */
export class Room {
  readonly #random: Randomness
  #state: RoomState = { name: "outside" }
  #entries = 0

  constructor(random: Randomness) {
    this.#random = random
  }

  step(input: RoomInput, nowMs: number): RoomOutput[] {
    switch (input.type) {
      case "server":
        if (input.state === "down") this.#state = { name: "outside" }
        // A repeated "up" says nothing new. Only a "down" between two causes a new entry.
        else if (this.#state.name === "outside") return this.#becomeEntering(nowMs)
        return []
      case "entered":
        if (this.#state.name !== "entering" || this.#state.entry !== input.entry || !input.ok) return []
        this.#becomeInside(input.entry, 1, this.#state.sinceMs)
        return []
      case "tick":
        return this.#handleTick(input.missing, nowMs)
    }
  }

  /** Time of the tick that has an effect. Infinity outside. */
  nextTickMs(missing: Missing): number {
    const state = this.#state
    if (state.name === "outside") return Infinity
    if (state.name === "entering") return state.retryAtMs
    const regularMs = missing === null ? Infinity : missing ? ADVERTISE_MISSING_MS : ADVERTISE_MS
    return state.advertisedAtMs + (ADVERTISE_SOON_MS[state.advertised - 1] ?? regularMs) * state.jitter
  }

  #handleTick(missing: Missing, nowMs: number): RoomOutput[] {
    const state = this.#state
    if (state.name === "outside" || nowMs < this.nextTickMs(missing)) return []
    if (state.name === "entering") return this.#becomeEntering(nowMs)
    this.#becomeInside(state.entry, state.advertised + 1, nowMs)
    return [{ type: "advertise" }]
  }

  #becomeEntering(nowMs: number): RoomOutput[] {
    this.#entries += 1
    const retryAtMs = nowMs + jittered(ENTER_RETRY_MS, this.#random)
    this.#state = { name: "entering", entry: this.#entries, sinceMs: nowMs, retryAtMs }
    return [{ type: "enter", entry: this.#entries, address: this.#random.bytes(16) }, { type: "advertise" }]
  }

  #becomeInside(entry: number, advertised: number, advertisedAtMs: number): void {
    this.#state = { name: "inside", entry, advertised, advertisedAtMs, jitter: jittered(1, this.#random) }
  }
}
