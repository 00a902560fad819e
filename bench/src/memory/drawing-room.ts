/** Whole conferences in one process, each engine on a thread of its own, whose people draw on one board. */
import { setTimeout as pause } from "node:timers/promises"
import { Conference, KeymootError, type SharedDocument } from "@keymoot/core"
import { LoopbackNetwork } from "@keymoot/transport/testing"
import * as Y from "yjs"
import { pen } from "../room/pen.ts"
import { heapBytes } from "./garbage.ts"
import { MeasuredEngine } from "./measured-engine.ts"

const SERVER = "http://localhost:1"
const BOARD = "board"
/** Each draws for so many turns, and looks on for as many. */
const STRETCH = 15
/** After so many turns everybody is waited for, so that nothing gathers that people could not have drawn. */
const TOGETHER_EVERY = 10
const LOOK_MS = 20
const SAME_WITHIN_MS = 300_000
/** For the last acknowledgements: what waits for those is no growth. */
const REST_MS = 500

type Member = {
  readonly engine: MeasuredEngine
  readonly conference: Conference
  readonly board: SharedDocument
  readonly draw: () => void
}

/** Bytes. */
export type Heaps = {
  readonly engines: readonly number[]
  /** Growth of one page since the drawing began, above all by its copy of the board. */
  readonly page: number
  /** A copy of the board, made anew. */
  readonly board: number
}

export class DrawingRoom {
  readonly #network = new LoopbackNetwork({ schedule: (task) => void setImmediate(task) })
  readonly #members: Member[] = []
  /** Heap of this thread before the drawing. */
  #empty = 0
  #turns = 0

  static async of(count: number): Promise<DrawingRoom> {
    const room = new DrawingRoom()
    for (let i = 0; i < count; i++) await room.#come(i)
    await room.#together()
    room.#empty = heapBytes()
    return room
  }

  async #come(place: number): Promise<void> {
    const name = `Drawer ${place + 1}`
    const engine = await MeasuredEngine.start(name, this.#network.createHost(name))
    const { identity } = engine
    // A local copy would add memory for data that belongs on the disk.
    const how = { identity, localCopy: false }
    const url = this.#members[0]?.conference.invitation.url
    const conference = await (url ? Conference.join({ ...how, url }) : Conference.create({ ...how, server: SERVER }))
    const board = conference.document(BOARD)
    this.#members.push({ engine, conference, board, draw: pen(board, place) })
  }

  /** Everybody's change and pointer of each turn. @param turnMs how long a turn takes; 0: as long as it takes here */
  async draw(turns: number, turnMs: number): Promise<void> {
    const since = performance.now()
    for (let turn = 1; turn <= turns; turn++) {
      this.#turns++
      for (const [place, { draw }] of this.#members.entries()) if (isDrawing(place, this.#turns)) draw()
      if (turnMs > 0) await pause(Math.max(0, since + turn * turnMs - performance.now()))
      else if (turn % TOGETHER_EVERY === 0) await this.#together()
      else await pause(0)
    }
    await this.#together()
  }

  /** Renews the key, as a conference does by itself after some minutes. */
  async renewKey(): Promise<void> {
    const { conference } = this.#members[0]!
    await conference.refreshKey().catch((error: unknown) => {
      if (!(error instanceof KeymootError && error.code === "too-soon")) throw error
    })
  }

  /** While nobody draws. */
  async heaps(): Promise<Heaps> {
    await this.#together()
    await pause(REST_MS)
    const engines = await Promise.all(this.#members.map(({ engine }) => engine.heapBytes()))
    const all = heapBytes()
    return { engines, page: (all - this.#empty) / this.#members.length, board: this.#boardBytes(all) }
  }

  async close(): Promise<void> {
    for (const { engine } of this.#members) await engine.identity.close()
  }

  /** By making one more. */
  #boardBytes(before: number): number {
    const copy = new Y.Doc()
    Y.applyUpdate(copy, Y.encodeStateAsUpdate(this.#members[0]!.board.doc))
    const bytes = heapBytes() - before
    copy.destroy()
    return bytes
  }

  /** Resolves when all have the same board, and everybody has the key. */
  async #together(): Promise<void> {
    const deadlineMs = performance.now() + SAME_WITHIN_MS
    while (!this.#isOne()) {
      if (performance.now() > deadlineMs)
        throw new Error(`the members have not come to one view and one board: ${this.#apart()}`)
      await pause(LOOK_MS)
    }
  }

  /** For each how many are in its view and in which state that is, and changes of each client that it has. */
  #apart(): string {
    const told = this.#members.map(({ conference: { view, self }, board: { doc } }) => {
      const clients = [...Y.decodeStateVector(Y.encodeStateVector(doc))].map(([client, clock]) => `${client}:${clock}`)
      return `${self.name}: ${view.status}, epoch ${view.epoch}, of ${view.members.length}; ${clients.toSorted().join(" ")}`
    })
    return `\n${told.join("\n")}`
  }

  #isOne(): boolean {
    const here = this.#members.length
    const inView = ({ view }: Conference): boolean => view.status === "secured" && view.members.length === here
    const [first, ...others] = this.#members.map(({ board }) => Buffer.from(Y.encodeStateVector(board.doc)))
    return this.#members.every(({ conference }) => inView(conference)) && others.every((other) => other.equals(first!))
  }
}

/** By turns, so that half of them look on. */
function isDrawing(place: number, turn: number): boolean {
  return (Math.floor(turn / STRETCH) + place) % 2 === 0
}
