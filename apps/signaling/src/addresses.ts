/** One stay of a connection in a room. */
export interface Entry {
  readonly room: string
  readonly address: string
  /** Socket.IO's id of the connection: the same again when it is recovered, in this process or another. */
  readonly holder: string
}

export type Taking = "taken" | "address-taken" | "room-full"

/** Who holds which address in which room, in all processes together. A rejection means that the others cannot be asked. */
export interface Addresses {
  /**
   * Takes an address, or keeps it. Of two who ask at the same time one gets it. `former`, the holder's other address in
   * this room, is given up when this one is taken.
   */
  take(entry: Entry, former: string | undefined): Promise<Taking>
  give(entry: Entry): Promise<void>
  isHeld(room: string, address: string): Promise<boolean>
  /** The holder is lost and may be recovered: its address stays its own for as long as that takes at most. */
  leave(entry: Entry): Promise<void>
  /** The holder was recovered, and is a connection of this process now. */
  adopt(entry: Entry): void
}

/** The addresses of a server of one process, where a lost connection is gone for good. */
export class LocalAddresses implements Addresses {
  readonly #membersPerRoomMax: number
  /** Room to address to holder. Bounded by the connections and the rooms of each. */
  readonly #rooms = new Map<string, Map<string, string>>()

  constructor(membersPerRoomMax: number) {
    this.#membersPerRoomMax = membersPerRoomMax
  }

  async take({ room, address, holder }: Entry, former: string | undefined): Promise<Taking> {
    const members = this.#rooms.get(room) ?? new Map<string, string>()
    const present = members.get(address)
    if (present !== undefined && present !== holder) return "address-taken"
    if (present === undefined && former === undefined && members.size >= this.#membersPerRoomMax) return "room-full"
    if (former !== undefined) members.delete(former)
    members.set(address, holder)
    this.#rooms.set(room, members)
    return "taken"
  }

  async give({ room, address, holder }: Entry): Promise<void> {
    const members = this.#rooms.get(room)
    if (members?.get(address) !== holder) return
    members.delete(address)
    if (members.size === 0) this.#rooms.delete(room)
  }

  async isHeld(room: string, address: string): Promise<boolean> {
    return this.#rooms.get(room)?.has(address) ?? false
  }

  leave(entry: Entry): Promise<void> {
    return this.give(entry)
  }

  adopt(): void {}
}
