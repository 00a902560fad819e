import type { Limits } from "../bounds/limits.ts"

/** One stay of a connection in a room. */
export interface Entry {
  readonly room: string
  readonly address: string
  /** Socket.IO's id of the connection: the same again when it is recovered, in this process or another. */
  readonly holder: string
  /** The client proved that it holds the invitation. */
  readonly proven: boolean
  /** The network address that the connection comes from, see `network-address.ts`. */
  readonly network: string
}

export type TakeResult = "taken" | "address-taken" | "room-full"

/** How many places of one kind there are in a room, in all and for one network address. */
export interface Share {
  readonly placesMax: number
  readonly perNetworkMax: number
}

/**
 * The places in a room. The two kinds never compete: strangers, who know the conference id only, cannot take a place from
 * clients that prove that they hold the invitation.
 */
export interface Shares {
  readonly proven: Share
  readonly unproven: Share
}

export function sharesOf(limits: Limits, addressScale: number): Shares {
  return {
    proven: {
      placesMax: limits.provenPerRoomMax,
      perNetworkMax: limits.provenPerRoomAndAddressMax * addressScale,
    },
    unproven: {
      placesMax: limits.unprovenPerRoomMax,
      perNetworkMax: limits.unprovenPerRoomAndAddressMax * addressScale,
    },
  }
}

/**
 * The addresses that connections hold in rooms, across all processes. A rejection means that the other processes cannot
 * be asked.
 */
export interface Addresses {
  /**
   * Takes an address, or keeps it. If two entries ask at the same time, exactly one gets it. `former`, the holder's
   * other address in this room, is released when this one is taken. In a full room an entry may use a place reserved
   * for its network address.
   */
  take(entry: Entry, former: string | undefined): Promise<TakeResult>
  give(entry: Entry): Promise<void>
  isHeld(room: string, address: string): Promise<boolean>
  /** The upper bound of receivers of one advertisement, its sender included. */
  entriesIn(room: string): Promise<number>
  /** Reports that the holder's connection is lost. Its place stays reserved for a while, so that it can return. */
  leave(entry: Entry): Promise<void>
  /** Reports that the holder's connection was recovered by this process. */
  adopt(entry: Entry): void
  /** `listener` is called with each holder whose entry was lost although its connection is still open. */
  onLost(listener: (holder: string) => void): void
}
