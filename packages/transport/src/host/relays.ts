import type { FrameConnection, ConnectionListener } from "./frame-connection.ts"
import type { PeerCommand, RoomAddress } from "../port/port.ts"
import { decodeRelayed, RelayConnection } from "./relay-connection.ts"
import { type RelaySender, RelayWindow } from "./relay-window.ts"

export type RelayOpen = PeerCommand & { readonly type: "relay-open" }

/** The links through bootstrap servers, by room, address and circuit. */
export class Relays {
  readonly #links = new Map<string, RelayConnection>()
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
    this.#links.get(key)?.destroy()
    const share = window.share(`${room} ${to}`, this.#senderTo(command))
    const link: RelayConnection = new RelayConnection(command, share, listener, () => {
      if (this.#links.get(key) === link) this.#links.delete(key)
    })
    this.#links.set(key, link)
    return link
  }

  /** The server has lost the addresses of every link through it. A link that carries nothing would not notice. */
  lose(server: string): void {
    this.#windows.delete(server)
    for (const [key, link] of this.#links) if (key.startsWith(`${server} `)) link.lose()
  }

  /** Returns whether such a link exists here and accepted the frame. */
  receive(server: string, room: string, from: RoomAddress, frame: Uint8Array): boolean {
    const relayed = decodeRelayed(frame)
    if (relayed === null) return false
    return this.#links.get(keyOf(server, room, from, relayed.circuit))?.receive(relayed) ?? false
  }
}

function keyOf(server: string, room: string, address: RoomAddress, circuit: number): string {
  return `${server} ${room} ${address} ${circuit}`
}
