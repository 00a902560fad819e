/**
 * Queue of delivered frames that wait for decryption and the application, processed one at a time. Each sender has a lane. Lanes
 * take turns by cost (start-time fair queueing), so a sender with a long lane delays no other sender.
 *
 * The queue keeps the order of the services:
 *
 * - Frames of one sender stay in order.
 * - A causal or ordered frame waits for all frames that were delivered before it.
 * - A view event waits for everything before it, and everything after it waits for the event.
 */
import type { MemberId } from "@keymoot/transport"
import type { Faults } from "../platform/surroundings.ts"

/** Bound in bytes of waiting ciphertext of all senders. Each sender has an equal share, at least `OPENING_BYTES_MIN`. */
export const OPENING_BYTES_HIGH = 8 * 1024 * 1024
export const OPENING_BYTES_MIN = 256 * 1024
/** The same bound in frames, because a frame has a cost beside its bytes. */
export const OPENING_FRAMES_HIGH = 2048
export const OPENING_FRAMES_MIN = 64
/** Cost of a frame beside its bytes: key schedule, decoding, a turn of the event loop. */
const FRAME_COST_BYTES = 4096

type Task = () => void | Promise<void>
type Waiting = { readonly place: number; readonly task: Task }
type WaitingFrame = Waiting & { readonly bytes: number; readonly isOrdered: boolean }
type Lane = { readonly sender: MemberId; readonly frames: WaitingFrame[]; bytes: number; count: number; turn: number }

export type DeliveredFrame = {
  readonly sender: MemberId
  readonly bytes: number
  /** Whether this frame waits for all frames delivered before it, of all senders. */
  readonly isOrdered: boolean
}

export class DecryptQueue {
  readonly #faults: Faults
  readonly #onHold: (sender: MemberId, held: boolean) => void
  readonly #lanes = new Map<MemberId, Lane>()
  readonly #events: Waiting[] = []
  readonly #held = new Set<MemberId>()
  readonly #paused = new Set<MemberId>()
  #members = 1
  #places = 0
  /** Virtual start time of the frame that was taken last. */
  #turn = 0
  #running = false

  /** `hold`: stops (`true`) or resumes the delivery of this sender's frames. */
  constructor(faults: Faults, hold: (sender: MemberId, held: boolean) => void) {
    this.#faults = faults
    this.#onHold = hold
  }

  /** Bytes of frames that wait or are being decrypted. */
  get bytes(): number {
    return [...this.#lanes.values()].reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Sets the number of members of the view, from which a sender's share follows. */
  share(members: number): void {
    this.#members = members
  }

  /** Adds an event that runs at its place between frames. */
  add(task: Task): void {
    this.#events.push({ place: this.#places++, task })
    this.#start()
  }

  addFrame({ sender, bytes, isOrdered }: DeliveredFrame, task: () => Promise<void>): void {
    const lane = this.#lanes.get(sender) ?? { sender, frames: [], bytes: 0, count: 0, turn: this.#turn }
    if (lane.frames.length === 0) lane.turn = Math.max(lane.turn, this.#turn)
    this.#lanes.set(sender, lane)
    lane.frames.push({ place: this.#places++, task, bytes, isOrdered: isOrdered })
    lane.bytes += bytes
    lane.count++
    if (lane.bytes > this.#bytesMax || lane.count > this.#framesMax) this.#hold(sender, true)
    this.#start()
  }

  /** Backpressure of the application: frames of a paused sender wait, unless a view event waits behind them. */
  pause(sender: MemberId, paused: boolean): void {
    if (paused) this.#paused.add(sender)
    else if (this.#paused.delete(sender)) this.#start()
  }

  get #bytesMax(): number {
    return Math.max(OPENING_BYTES_MIN, OPENING_BYTES_HIGH / this.#members)
  }

  get #framesMax(): number {
    return Math.max(OPENING_FRAMES_MIN, OPENING_FRAMES_HIGH / this.#members)
  }

  #start(): void {
    if (this.#running) return
    this.#running = true
    void Promise.resolve().then(() => this.#run())
  }

  async #run(): Promise<void> {
    for (let task = this.#next(); task; task = this.#next()) {
      try {
        const done = task()
        if (done) await done
      } catch (error) {
        this.#faults.fail(error)
      }
    }
    this.#running = false
  }

  #next(): Task | null {
    const [event] = this.#events
    const waiting = [...this.#lanes.values()].filter(({ frames }) => frames.length > 0)
    const oldest = Math.min(event?.place ?? Infinity, ...waiting.map(({ frames }) => frames[0]!.place))
    if (event && event.place === oldest) return this.#events.shift()!.task
    let next: Lane | null = null
    for (const lane of waiting) {
      const { place, isOrdered } = lane.frames[0]!
      if ((isOrdered && place !== oldest) || (event ? place > event.place : this.#paused.has(lane.sender))) continue
      if (!next || lane.turn < next.turn) next = lane
    }
    return next && this.#take(next)
  }

  #take(lane: Lane): Task {
    const { bytes, task } = lane.frames.shift()!
    this.#turn = lane.turn
    lane.turn += bytes + FRAME_COST_BYTES
    return async () => {
      try {
        await task()
      } finally {
        this.#opened(lane, bytes)
      }
    }
  }

  #opened(lane: Lane, bytes: number): void {
    lane.bytes -= bytes
    lane.count--
    if (lane.count === 0) this.#lanes.delete(lane.sender)
    if (lane.bytes <= this.#bytesMax / 2 && lane.count <= this.#framesMax / 2) this.#hold(lane.sender, false)
  }

  #hold(sender: MemberId, held: boolean): void {
    if (held === this.#held.has(sender)) return
    if (held) this.#held.add(sender)
    else this.#held.delete(sender)
    this.#onHold(sender, held)
  }
}
