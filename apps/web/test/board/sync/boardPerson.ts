import { Doc, applyUpdate } from "yjs"
import { bindBoard } from "../../../src/board/sync/binding.ts"
import type { BoardElement } from "../../../src/board/elements/element.ts"

/** A member with a board: a scene, a document, frames and time that the test moves on. */
export class Person {
  readonly doc = new Doc()
  scene: readonly BoardElement[] = []
  hand = new Set<string>()
  isViewer = false
  invalid = 0
  unshared = 0
  shown = 0
  readonly atOnce: boolean[] = []
  nowMs = 0
  updates: Uint8Array[] = []
  #frames: (() => void)[] = []
  #timers: (() => void)[] = []
  readonly binding

  constructor() {
    this.binding = bindBoard(
      this.map,
      {
        elements: () => this.scene,
        editing: () => this.hand,
        mayWrite: () => !this.isViewer,
        show: (elements, atOnce) => {
          this.scene = elements
          this.shown++
          this.atOnce.push(atOnce)
          this.binding.sceneChanged()
        },
      },
      {
        soon: (run) => this.#later(run),
        nextFrame: (run) => this.#later(run),
        after: (_ms, run) => {
          this.#timers.push(run)
          return () => (this.#timers = [])
        },
        nowMs: () => this.nowMs,
        random: () => 0,
      },
      (count) => (this.invalid += count),
      (count) => (this.unshared = count),
    )
    this.doc.on("update", (update: Uint8Array, origin: unknown) => origin !== "network" && this.updates.push(update))
  }

  #later(run: () => void): () => void {
    this.#frames.push(run)
    return () => (this.#frames = this.#frames.filter((frame) => frame !== run))
  }

  get map() {
    return this.doc.getMap<unknown>("elements")
  }

  /** Replaces or adds elements as a hand does. */
  draw(...elements: BoardElement[]): void {
    const ids = new Set(elements.map((element) => element.id))
    this.scene = [...this.scene.filter((element) => !ids.has(element.id)), ...elements]
    this.binding.sceneChanged()
    this.frame()
  }

  frame(): void {
    this.nowMs += 16
    for (const run of this.#frames.splice(0)) run()
  }

  timers(): void {
    for (const run of this.#timers.splice(0)) run()
    this.frame()
  }

  see(id: string): BoardElement | undefined {
    return this.scene.find((element) => element.id === id)
  }

  receive(updates: readonly Uint8Array[]): void {
    for (const update of updates) applyUpdate(this.doc, update, "network")
    this.frame()
  }
}

/** Delivers all writes to all members until no member writes any more. */
export function settle(...people: Person[]): void {
  for (let round = 0; round < 10; round++) {
    for (const person of people) {
      const updates = person.updates.splice(0)
      for (const other of people) if (other !== person) other.receive(updates)
    }
  }
}
