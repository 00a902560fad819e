import { ADVERTISE_MISSING_MS, ADVERTISE_MS, ADVERTISE_SOON_MS, ENTER_RETRY_MS } from "./bounds.ts"
import { jittered } from "./jitter.ts"

export type RoomInput =
  | { readonly type: "server"; readonly state: "up" | "down" }
  | { readonly type: "entered"; readonly entry: number; readonly ok: boolean }
  /** `missing`: somebody seems to be there whom we have not met. */
  | { readonly type: "tick"; readonly missing: boolean }

export type RoomOutput =
  /** Enter under `address` (16 random bytes); answer with `entered`. */
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
 * Presence on the emulated bus of neighbour discovery. Each entry takes a fresh address (and with it, in the mesh, a
 * fresh card), so nothing that was said to a former entry is valid in the next.
 *
 * The first advertisement goes right behind the entry, without waiting for the answer: a server carries out what a
 * connection asks in order, and one that refuses the entry refuses this too. That saves newcomers a round trip.
 *
 * Advertising never ends: nobody can know that no member is missing. It is rare, and cheap for those who are linked.
 */
export class Room {
  readonly #random: (length: number) => Uint8Array
  #state: RoomState = { name: "outside" }
  #entries = 0

  constructor(random: (length: number) => Uint8Array) {
    this.#random = random
  }

  step(input: RoomInput, nowMs: number): RoomOutput[] {
    switch (input.type) {
      case "server":
        if (input.state === "down") this.#state = { name: "outside" }
        // A repeated "up" says nothing new; only a "down" between two makes a new entry.
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

  #handleTick(missing: boolean, nowMs: number): RoomOutput[] {
    const state = this.#state
    if (state.name === "entering" && nowMs >= state.retryAtMs) return this.#becomeEntering(nowMs)
    if (state.name !== "inside") return []
    const pauseMs = ADVERTISE_SOON_MS[state.advertised - 1] ?? (missing ? ADVERTISE_MISSING_MS : ADVERTISE_MS)
    const due = nowMs >= state.advertisedAtMs + pauseMs * state.jitter
    if (!due) return []
    this.#becomeInside(state.entry, state.advertised + 1, nowMs)
    return [{ type: "advertise" }]
  }

  #becomeEntering(nowMs: number): RoomOutput[] {
    this.#entries += 1
    const retryAtMs = nowMs + jittered(ENTER_RETRY_MS, this.#random)
    this.#state = { name: "entering", entry: this.#entries, sinceMs: nowMs, retryAtMs }
    return [{ type: "enter", entry: this.#entries, address: this.#random(16) }, { type: "advertise" }]
  }

  #becomeInside(entry: number, advertised: number, advertisedAtMs: number): void {
    this.#state = { name: "inside", entry, advertised, advertisedAtMs, jitter: jittered(1, this.#random) }
  }
}
