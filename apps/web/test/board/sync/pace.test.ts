import { describe, expect, it } from "vitest"
import { paced } from "../../../src/board/sync/pace.ts"

/** Runs tasks and frame callbacks when the test says so. */
class Turns {
  readonly acts: string[] = []
  #soon: (() => void)[] = []
  #frames: (() => void)[] = []
  #place = ""
  onAct: () => void = () => {}
  readonly pace = paced(
    () => {
      this.acts.push(this.#place)
      this.onAct()
    },
    { soon: (run) => this.#later("soon", run), nextFrame: (run) => this.#later("frame", run) },
  )

  #later(kind: "soon" | "frame", run: () => void): () => void {
    const of = kind === "soon" ? this.#soon : this.#frames
    of.push(run)
    return () => of.splice(of.indexOf(run), 1)
  }

  endTask(): void {
    this.#place = "at once"
    for (const run of this.#soon.splice(0)) run()
  }

  frame(): void {
    this.#place = "before the picture"
    for (const run of this.#frames.splice(0)) run()
    this.endTask()
  }
}

describe("what is paced by pictures", () => {
  it("happens at once after a picture without it", () => {
    const turns = new Turns()
    turns.pace.request()
    turns.endTask()
    expect(turns.acts).toEqual(["at once"])
    turns.frame()
    turns.pace.request()
    turns.endTask()
    expect(turns.acts).toEqual(["at once", "at once"])
  })

  it("happens once a picture however often it is asked for", () => {
    const turns = new Turns()
    for (let picture = 0; picture < 5; picture++) {
      for (let asked = 0; asked < 10; asked++) {
        turns.pace.request()
        turns.endTask()
      }
      turns.frame()
    }
    expect(turns.acts).toEqual(["at once", ...Array.from({ length: 5 }, () => "before the picture")])
  })

  it("asked for by itself, it happens before the next picture", () => {
    const turns = new Turns()
    turns.onAct = () => turns.acts.length < 3 && turns.pace.request()
    turns.pace.request()
    turns.endTask()
    for (let picture = 0; picture < 5; picture++) turns.frame()
    expect(turns.acts).toEqual(["at once", "before the picture", "before the picture"])
  })

  it("no longer happens once cancelled", () => {
    const turns = new Turns()
    turns.pace.request()
    turns.pace.cancel()
    turns.endTask()
    turns.frame()
    expect(turns.acts).toEqual([])
  })
})
