import type { Addresses, Entry, Shares, TakeResult } from "./addresses.ts"

type Place = Pick<Entry, "holder" | "proven" | "network">

interface Room {
  readonly held: Map<string, Place>
  /** Places of lost connections. Until they expire, only clients from the same network address can take them. */
  readonly kept: Set<Place>
}

/** The addresses of a single-process server. A lost connection is never recovered here: its client enters again. */
export class LocalAddresses implements Addresses {
  readonly #shares: Shares
  readonly #placeKeptMs: number
  /** Invariant: each room has an entry or a reserved place. The shares bound the places of a room. */
  readonly #rooms = new Map<string, Room>()

  constructor(shares: Shares, placeKeptMs: number) {
    this.#shares = shares
    this.#placeKeptMs = placeKeptMs
  }

  async take(entry: Entry, former: string | undefined): Promise<TakeResult> {
    const { room, address, holder, proven, network } = entry
    const { held, kept } = this.#rooms.get(room) ?? { held: new Map<string, Place>(), kept: new Set<Place>() }
    const present = held.get(address)
    if (present !== undefined && present.holder !== holder) return "address-taken"
    if (this.#isFull([...held.values(), ...kept], entry)) {
      const own = [...kept].find((place) => place.proven === proven && place.network === network)
      if (own === undefined) return "room-full"
      kept.delete(own)
    }
    if (former !== undefined) held.delete(former)
    held.set(address, { holder, proven, network })
    this.#rooms.set(room, { held, kept })
    return "taken"
  }

  async give({ room, address, holder }: Entry): Promise<void> {
    const held = this.#rooms.get(room)?.held
    if (held?.get(address)?.holder !== holder) return
    held.delete(address)
    this.#forgetIfEmpty(room)
  }

  async isHeld(room: string, address: string): Promise<boolean> {
    return this.#rooms.get(room)?.held.has(address) ?? false
  }

  async entriesIn(room: string): Promise<number> {
    return this.#rooms.get(room)?.held.size ?? 0
  }

  async leave(entry: Entry): Promise<void> {
    const { room, address, holder } = entry
    const { held, kept } = this.#rooms.get(room) ?? {}
    const place = held?.get(address)
    // No place is reserved for strangers.
    if (place?.holder !== holder || !place.proven) return this.give(entry)
    held?.delete(address)
    kept?.add(place)
    setTimeout(() => {
      kept?.delete(place)
      this.#forgetIfEmpty(room)
    }, this.#placeKeptMs).unref()
  }

  adopt(): void {}

  onLost(): void {}

  /** Whether the other entries of the room use up the share. */
  #isFull(places: readonly Place[], { holder, proven, network }: Entry): boolean {
    const { placesMax, perNetworkMax } = proven ? this.#shares.proven : this.#shares.unproven
    const others = places.filter((place) => place.proven === proven && place.holder !== holder)
    return others.length >= placesMax || others.filter((place) => place.network === network).length >= perNetworkMax
  }

  #forgetIfEmpty(room: string): void {
    const { held, kept } = this.#rooms.get(room) ?? {}
    if (held?.size === 0 && kept?.size === 0) this.#rooms.delete(room)
  }
}
