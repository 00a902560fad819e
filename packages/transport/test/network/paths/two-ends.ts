import type { SessionControl } from "../../../src/network/link/link-io.ts"
import { sessionNonce } from "../../../src/network/link/reliable-session.ts"
import { ResumableLink } from "../../../src/network/link/resumable-link.ts"
import type { Connection } from "../../../src/network/path/connection.ts"
import type { PathKind } from "../../../src/network/path/path-choice.ts"

type Item = { readonly control: SessionControl } | { readonly message: number; leftBytes: number }
/** One end's half of a connection. The schedule delivers the items in `sent`. */
type Half = { readonly connection: Connection; sent: Item[]; isOpen: boolean; isStalled: boolean }
type Path = { readonly kind: PathKind; readonly halves: readonly [Half, Half]; isStalled: boolean }

const TICK_MS = 100

function toBytes(index: number, length = 4): Uint8Array {
  const bytes = new Uint8Array(length)
  new DataView(bytes.buffer).setUint32(0, index, true)
  return bytes
}
const toNumber = (bytes: Uint8Array) => new DataView(bytes.buffer).getUint32(0, true)

/** Two ends of one link over paths without cryptography. A path loses nothing until it breaks, and may stall. */
export class TwoEnds {
  readonly links: [ResumableLink, ResumableLink]
  readonly received: [number[], number[]] = [[], []]
  readonly sent: [number, number] = [0, 0]
  readonly faults: string[] = []
  paths: Path[] = []
  changes = 0
  nowMs = 0
  /** Bytes of messages that each end sends over each path in a second. */
  rates: [number, number] = [Infinity, Infinity]
  #attempts = 0
  #links = 0

  constructor() {
    this.links = [this.#newLink(0), this.#newLink(1)]
  }

  #newLink(index: 0 | 1): ResumableLink {
    return new ResumableLink(sessionNonce(++this.#links, new Uint8Array(8)), (output) => {
      if (output.type === "reset" || output.type === "obstructed") this.faults.push(output.type)
      else if (output.type === "path") this.changes += 1
      else if (output.type === "message") this.received[index].push(toNumber(output.bytes))
      else if (output.type === "close") this.#close(index, output.connection)
    })
  }

  /** An end gives its link up and makes another one. The other end notices after what is under way. */
  lose(index: 0 | 1): void {
    this.links[index] = this.#newLink(index)
    for (const { halves } of this.paths) halves[index].isOpen = false
  }

  open(kind: PathKind): void {
    const attempt = ++this.#attempts
    let first: Half | undefined
    const half = (): Half => {
      const own: Half = { connection: undefined as never, sent: [], isOpen: true, isStalled: false }
      first ??= own
      const connection = {
        config: { carrier: { type: kind }, attempt, role: own === first ? "initiator" : "responder" },
        control: (control: SessionControl) => own.isOpen && own.sent.push({ control }),
        queue: (bytes: Uint8Array) =>
          own.isOpen && own.sent.push({ message: toNumber(bytes), leftBytes: bytes.length }),
      }
      return Object.assign(own, { connection: connection as unknown as Connection })
    }
    const path: Path = { kind, halves: [half(), half()], isStalled: false }
    this.paths.push(path)
    for (const index of [0, 1] as const) this.links[index].established(path.halves[index].connection)
  }

  /** Breaks a path at one end. Items under way to it are lost, and the other end notices it later. */
  break(path: Path, index: 0 | 1, byPeer = false): void {
    const half = path.halves[index]
    if (!half.isOpen) return
    half.isOpen = false
    half.sent = []
    this.links[index].ended(half.connection, byPeer ? "by-peer" : "failure", "broken", this.nowMs)
  }

  #close(index: 0 | 1, connection: Connection): void {
    const path = this.paths.find(({ halves }) => halves[index].connection === connection)
    if (path) this.break(path, index)
  }

  send(index: 0 | 1, count: number, length = 4): void {
    // Before the link is up there is nobody to send to.
    if (!this.links[index].up) return
    for (let each = 0; each < count; each++)
      this.links[index].send(toBytes(this.sent[index]++, length), "reliable", false)
  }

  /** Delivers up to `count` items that an end has sent over a path, and what the path carries in a tick. */
  deliver(path: Path, from: 0 | 1, count = Infinity): void {
    const to = (1 - from) as 0 | 1
    const [sender, receiver] = [path.halves[from], path.halves[to]]
    let bytes = (this.rates[from] * TICK_MS) / 1000
    for (let each = 0; each < count && !path.isStalled && !sender.isStalled && bytes > 0; each++) {
      if (!sender.isOpen && sender.sent.length === 0) return this.break(path, to, true)
      const item = receiver.isOpen ? sender.sent[0] : undefined
      if (!item) return
      const link = this.links[to]
      const carried = "message" in item ? Math.min(bytes, item.leftBytes) : 0
      link.heard(receiver.connection, this.nowMs)
      link.deadline.delayedBy(carried)
      bytes -= carried
      if ("message" in item && (item.leftBytes -= carried) > 0) return
      sender.sent.shift()
      const fault =
        "control" in item
          ? link.handleControl(receiver.connection, item.control, this.nowMs)
          : link.handleMessage(receiver.connection, toBytes(item.message), "reliable")
      if (fault) this.faults.push(fault)
    }
  }

  /** `count`: messages that each end sends in each tick. */
  pass(ms: number, count = 1): void {
    for (const endMs = this.nowMs + ms; this.nowMs < endMs;) {
      this.nowMs += TICK_MS
      for (const index of [0, 1] as const) {
        this.send(index, count)
        const down = this.links[index].tick(this.nowMs)
        if (down === null) continue
        this.faults.push(`down: ${down}`)
        this.lose(index)
      }
      for (const path of this.paths) for (const from of [0, 1] as const) this.deliver(path, from)
      this.paths = this.paths.filter(({ halves }) => halves.some(({ isOpen }) => isOpen))
    }
  }
}
