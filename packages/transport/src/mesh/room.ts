import { ADVERTISE_MS, ADVERTISE_SOON_MS, ENTER_RETRY_MS } from "./bounds.ts"
import { jittered } from "./jitter.ts"

export type RoomInput =
  | { readonly type: "server"; readonly state: "up" | "down" }
  | { readonly type: "entered"; readonly entry: number; readonly ok: boolean }
  | { readonly type: "tick" }

export type RoomOutput =
  /** Enter under `address` (16 random bytes); answer with `entered`. */
  { readonly type: "enter"; readonly entry: number; readonly address: Uint8Array } | { readonly type: "advertise" }

type RoomState =
  | { readonly name: "outside" }
  | { readonly name: "entering"; readonly entry: number; readonly retryAtMs: number }
  | { readonly name: "inside"; readonly entry: number; readonly advertised: number; readonly advertiseAtMs: number }

/**
 * Presence on the emulated bus of neighbour discovery. Each entry takes a fresh address (and with it, in the mesh, a
 * fresh card), so nothing that was said to a former entry is valid in the next.
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
        return this.#becomeAdvertised(input.entry, 0, nowMs)
      case "tick":
        return this.#handleTick(nowMs)
    }
  }

  #handleTick(nowMs: number): RoomOutput[] {
    const state = this.#state
    if (state.name === "entering" && nowMs >= state.retryAtMs) return this.#becomeEntering(nowMs)
    if (state.name === "inside" && nowMs >= state.advertiseAtMs)
      return this.#becomeAdvertised(state.entry, state.advertised, nowMs)
    return []
  }

  #becomeEntering(nowMs: number): RoomOutput[] {
    this.#entries += 1
    this.#state = { name: "entering", entry: this.#entries, retryAtMs: nowMs + jittered(ENTER_RETRY_MS, this.#random) }
    return [{ type: "enter", entry: this.#entries, address: this.#random(16) }]
  }

  #becomeAdvertised(entry: number, before: number, nowMs: number): RoomOutput[] {
    const pauseMs = jittered(ADVERTISE_SOON_MS[before] ?? ADVERTISE_MS, this.#random)
    this.#state = { name: "inside", entry, advertised: before + 1, advertiseAtMs: nowMs + pauseMs }
    return [{ type: "advertise" }]
  }
}
