import { concatBytes } from "@noble/hashes/utils.js"
import { RELAY_FRAME_BYTES_MAX, RELAY_FRAME_COST_BYTES, RELAY_PAIR_WINDOW_BYTES } from "../signaling-protocol/index.ts"
import type { FrameConnection, ConnectionListener } from "./frame-connection.ts"
import type { RelayShare, Waiting } from "./relay-window.ts"
import type { Reliability } from "../port/port.ts"

/**
 * Frames that wait for the server's credit. Beyond it the connection is closed, since its sender ignores backpressure.
 */
export const RELAY_WAITING_BYTES_MAX = 8 * 1024 * 1024

/**
 * Kinds of messages between the two ends inside the server's opaque frames. Each is a kind, the circuit, and frames
 * with their lengths.
 */
const KIND = { open: 1, reliable: 2, unreliable: 3, close: 4 } as const
type Kind = keyof typeof KIND
const HEADER_BYTES = 9
const LENGTH_BYTES = 2

export type Relayed = { readonly kind: Kind; readonly circuit: number; readonly frames: readonly Uint8Array[] }

/** `null` unless the bytes are a frame of such a connection. */
export function decodeRelayed(bytes: Uint8Array): Relayed | null {
  if (bytes.length < HEADER_BYTES) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const kind = (Object.keys(KIND) as Kind[]).find((name) => KIND[name] === bytes[0])
  const circuit = Number(view.getBigUint64(1))
  if (kind === undefined || !Number.isSafeInteger(circuit)) return null
  const frames: Uint8Array[] = []
  for (let offset = HEADER_BYTES; offset < bytes.length;) {
    if (offset + LENGTH_BYTES > bytes.length) return null
    const end = offset + LENGTH_BYTES + view.getUint16(offset)
    if (end > bytes.length) return null
    frames.push(bytes.slice(offset + LENGTH_BYTES, end))
    offset = end
  }
  return { kind, circuit, frames }
}

function encodeRelayed({ kind, circuit, frames }: Relayed): Uint8Array {
  const header = new Uint8Array(HEADER_BYTES)
  header[0] = KIND[kind]
  new DataView(header.buffer).setBigUint64(1, BigInt(circuit))
  return concatBytes(
    header,
    ...frames.flatMap((frame) => [Uint8Array.of(frame.length >> 8, frame.length & 255), frame]),
  )
}

/**
 * A connection through the bootstrap server between two members that know each other's room address. The server's
 * answers are the credit (signaling-protocol/events.ts). The server may lose, spoil or forge frames, which the seal of
 * the layer above detects.
 */
export class RelayConnection implements FrameConnection, Waiting {
  readonly #circuit: number
  readonly #share: RelayShare
  readonly #listener: ConnectionListener
  readonly #onEnd: () => void
  #state: "opening" | "open" | "ended" = "opening"
  #waiting: Uint8Array[] = []
  #waitingBytes = 0
  #underWayBytes = 0

  /** `answering`: the other end waits for this one. `onEnd`: the connection accepts no more frames. */
  constructor(
    { circuit, answering }: { readonly circuit: number; readonly answering: boolean },
    share: RelayShare,
    listener: ConnectionListener,
    onEnd: () => void,
  ) {
    this.#circuit = circuit
    this.#share = share
    this.#listener = listener
    this.#onEnd = onEnd
    // Asynchronous, as with a peer connection: the caller must receive this object first.
    if (answering) queueMicrotask(() => this.#answer())
  }

  send(frames: readonly Uint8Array[], reliability: Reliability): void {
    if (this.#state !== "open") return
    if (reliability === "unreliable") return this.#sendUnreliable(frames)
    for (const frame of frames) {
      this.#waiting.push(frame)
      this.#waitingBytes += frame.length
    }
    if (this.#waitingBytes > RELAY_WAITING_BYTES_MAX)
      return this.#end("more was sent than the connection could carry", false)
    this.#share.enqueue(this)
  }

  /** Handles a frame that the server delivered. Returns false if the connection has ended. */
  receive({ kind, frames }: Relayed): boolean {
    if (this.#state === "ended") return false
    if (kind === "close") this.#end("closed by the other side", true)
    else if (kind === "open") this.#becomeOpen()
    else if (this.#state === "open") for (const frame of frames) this.#listener.onFrame(frame, kind)
    return true
  }

  close(): void {
    while (this.nextBytes > 0 && this.nextBytes <= this.#share.room()) this.sendNext()
    this.destroy()
  }

  destroy(): void {
    if (this.#state === "ended") return
    this.#leave()
    this.#share.send(this.#encode("close"), () => undefined)
  }

  /** The connection to the server is lost, and with it this end's address. */
  lose(): void {
    this.#end("the server is away", false)
  }

  #answer(): void {
    if (this.#state !== "opening") return
    this.#share.send(this.#encode("open"), () => undefined)
    this.#becomeOpen()
  }

  #becomeOpen(): void {
    if (this.#state !== "opening") return
    this.#state = "open"
    this.#listener.onConnected("", "")
  }

  get nextBytes(): number {
    const [first] = this.#state === "open" ? this.#waiting : []
    return first ? HEADER_BYTES + LENGTH_BYTES + first.length : 0
  }

  /** Sends as many waiting frames as fit into one frame of the server, and into the window. */
  sendNext(): void {
    const most = Math.min(RELAY_FRAME_BYTES_MAX, this.#share.room())
    let bytes = HEADER_BYTES
    let count = 0
    for (const frame of this.#waiting) {
      if (count > 0 && bytes + LENGTH_BYTES + frame.length > most) break
      bytes += LENGTH_BYTES + frame.length
      count += 1
    }
    const frames = this.#waiting.splice(0, count)
    for (const frame of frames) this.#waitingBytes -= frame.length
    const cost = bytes + RELAY_FRAME_COST_BYTES
    this.#underWayBytes += cost
    this.#share.send(this.#encode("reliable", frames), (refused) => {
      this.#underWayBytes -= cost
      // Frames after it may have arrived without it.
      // Without its address the other end has left the room: its page is closed, or its connection is lost.
      if (refused !== null) this.#end(`the server did not relay: ${refused}`, refused === "unknown-address")
    })
  }

  /** Sends only if nothing waits: a late unreliable frame has no value. */
  #sendUnreliable(frames: readonly Uint8Array[]): void {
    for (const frame of frames) {
      const bytes = HEADER_BYTES + LENGTH_BYTES + frame.length
      const cost = bytes + RELAY_FRAME_COST_BYTES
      const isBusy = this.#underWayBytes + cost > RELAY_PAIR_WINDOW_BYTES / 2 || bytes > this.#share.room()
      if (this.#waiting.length > 0 || isBusy) return
      this.#underWayBytes += cost
      this.#share.send(this.#encode("unreliable", [frame]), () => (this.#underWayBytes -= cost))
    }
  }

  #encode(kind: Kind, frames: readonly Uint8Array[] = []): Uint8Array {
    return encodeRelayed({ kind, circuit: this.#circuit, frames })
  }

  #leave(): void {
    this.#state = "ended"
    this.#share.leave(this)
    this.#onEnd()
  }

  #end(reason: string, byPeer: boolean): void {
    if (this.#state === "ended") return
    this.#leave()
    this.#listener.onClosed(reason, byPeer)
  }
}
