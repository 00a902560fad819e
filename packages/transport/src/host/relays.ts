import type { FrameConnection, ConnectionListener } from "./frame-connection.ts"
import type { PeerCommand, RoomAddress } from "../port/port.ts"
import { decodeRelayed, RelayConnection } from "./relay-connection.ts"
import { type RelaySender, RelayWindow } from "./relay-window.ts"

export type RelayOpen = PeerCommand & { readonly type: "relay-open" }

/** The connections through bootstrap servers, by room, address and circuit. */
export class Relays {
  readonly #connections = new Map<string, RelayConnection>()
  /** One for each server that this host was connected to. */
  readonly #windows = new Map<string, RelayWindow>()
  readonly #senderTo: (command: RelayOpen) => RelaySender

  constructor(senderTo: (command: RelayOpen) => RelaySender) {
    this.#senderTo = senderTo
  }

  open(command: RelayOpen, listener: ConnectionListener): FrameConnection {
    const { server, room, to } = command
    const key = keyOf(server, room, to, command.circuit)
    const window = this.#windows.get(server) ?? new RelayWindow()
    this.#windows.set(server, window)
    this.#connections.get(key)?.destroy()
    const share = window.share(`${room} ${to}`, this.#senderTo(command))
    const connection: RelayConnection = new RelayConnection(command, share, listener, () => {
      if (this.#connections.get(key) === connection) this.#connections.delete(key)
    })
    this.#connections.set(key, connection)
    return connection
  }

  /**
   * The server has lost the addresses of every connection through it. A connection that carries nothing would not
   * notice.
   */
  lose(server: string): void {
    this.#windows.delete(server)
    for (const [key, connection] of this.#connections) if (key.startsWith(`${server} `)) connection.lose()
  }

  /** Returns whether such a connection exists here and accepted the frame. */
  receive(server: string, room: string, from: RoomAddress, frame: Uint8Array): boolean {
    const relayed = decodeRelayed(frame)
    if (relayed === null) return false
    return this.#connections.get(keyOf(server, room, from, relayed.circuit))?.receive(relayed) ?? false
  }
}

function keyOf(server: string, room: string, address: RoomAddress, circuit: number): string {
  return `${server} ${room} ${address} ${circuit}`
}
