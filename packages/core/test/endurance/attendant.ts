import { Conference } from "../../src/client/conference.ts"
import type { Identity } from "../../src/client/identity.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import type { Room } from "../conference-run/harness.ts"
import type { Heard, Presence } from "./judge.ts"

/** Strokes of a person on the board. It erases its oldest one for each further one. */
const STROKES = 20

type Lap = { said: { text: string; delivered: boolean }[]; heard: Heard[]; drawn: Map<string, number> }
const newLap = (): Lap => ({ said: [], heard: [], drawn: new Map() })

/** A person that enters, speaks, draws, leaves and crashes. Its identity stays the same. */
export class Attendant {
  readonly name: string
  readonly #room: Room
  readonly #store = createMemoryStore()
  #hosts = 0
  #identity: Identity | null = null
  #conference: Conference | null = null
  #counter = 0
  #lap = newLap()
  #stayed = false
  /** Presences of this lap that are over. */
  #over: Presence[] = []

  constructor(room: Room, name: string) {
    this.#room = room
    this.name = name
  }

  get conference(): Conference | null {
    return this.#conference
  }

  /** `url`: null for the person that creates the conference. */
  async enter(url: string | null): Promise<void> {
    this.#identity = await this.#room.openIdentity(this.name, this.#store, this.#host(++this.#hosts))
    const common = { identity: this.#identity }
    this.#conference = await (url === null
      ? Conference.create({ ...common, server: "http://localhost:1", durationMs: 24 * 3600 * 1000 })
      : Conference.join({ ...common, url }))
    this.#chat.on("message", ({ id, from, text, position: { view, sequence }, transferred }) => {
      const isTransferred = transferred !== null
      this.#lap.heard.push({ id, from: from.name, text, position: { view, sequence }, transferred: isTransferred })
    })
  }

  say(): void {
    const said = { text: `${this.name} ${++this.#counter}`, delivered: false }
    this.#lap.said.push(said)
    this.#chat.send(said.text).then(
      () => (said.delivered = true),
      () => undefined,
    )
  }

  draw(): void {
    const value = ++this.#counter
    const strokes = this.#document.getArray<number>(this.name)
    strokes.push([value])
    this.#lap.drawn.set(`${this.name} ${value}`, value)
    if (strokes.length <= STROKES) return
    this.#lap.drawn.delete(`${this.name} ${strokes.get(0)}`)
    strokes.delete(0)
  }

  async leave(): Promise<void> {
    await this.#conference!.leave()
    await this.#end("left")
  }

  /** Its links break, and nobody hears a farewell. `others`: names of hosts. */
  async crash(others: readonly Attendant[]): Promise<void> {
    for (const other of others) this.#room.network.cut(this.#host(this.#hosts), other.#host(other.#hosts))
    await this.#end("crashed")
  }

  beginLap(): void {
    this.#lap = newLap()
    this.#over = []
    this.#stayed = this.#conference !== null
  }

  /** Whether everything that it said in this lap has come back to it. */
  get isAnswered(): boolean {
    return this.#lap.said.every(({ delivered }) => delivered)
  }

  /** One for each time that it was there in this lap. */
  get presences(): readonly Presence[] {
    return this.#conference ? [...this.#over, this.#presence(null)] : this.#over
  }

  get board(): Readonly<Record<string, number>> {
    const strokes = (name: string): number[] => this.#document.getArray<number>(name).toArray()
    const drawn = [...this.#document.share.keys()].flatMap((name) =>
      strokes(name).map((value) => [`${name} ${value}`, value]),
    )
    return Object.fromEntries(drawn) as Record<string, number>
  }

  get #chat() {
    return this.#conference!.channel("chat", { history: true })
  }

  /** A list for each person: Yjs merges what is erased at its front, and would keep each former value of a map. */
  get #document() {
    return this.#conference!.document("board").doc
  }

  #presence(ended: Presence["ended"]): Presence {
    const board = ended === null ? this.board : null
    const log = ended === null ? this.#chat.log().getSnapshot() : null
    return { name: this.name, stayed: this.#stayed && ended === null, ended, ...this.#lap, board, log }
  }

  async #end(how: "left" | "crashed"): Promise<void> {
    const presence = this.#presence(how)
    const identity = this.#identity!
    this.#over.push(presence)
    this.#lap = newLap()
    this.#stayed = false
    this.#conference = this.#identity = null
    await identity.close()
  }

  #host(number: number): string {
    return `${this.name} ${number}`
  }
}
