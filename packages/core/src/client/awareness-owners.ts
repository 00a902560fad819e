import type { MemberId } from "@keymoot/transport"
import { createDecoder, readVarUint, readVarString } from "lib0/decoding"

/** Client ids of one member at once: a reloaded page has a new one before the old one is forgotten. */
const CLIENTS_PER_MEMBER_MAX = 4

/** Which member speaks as which awareness client. */
export class AwarenessOwners {
  readonly #owners = new Map<number, MemberId>()

  /** Null if the client is another member's; else the clients of this member that had to be forgotten for it. */
  claim(client: number, member: MemberId): number[] | null {
    const owner = this.#owners.get(client)
    if (owner !== undefined) return owner === member ? [] : null
    const owned = [...this.#owners].filter(([, other]) => other === member).map(([client]) => client)
    const gone = owned.slice(0, Math.max(0, owned.length + 1 - CLIENTS_PER_MEMBER_MAX))
    for (const former of gone) this.#owners.delete(former)
    this.#owners.set(client, member)
    return gone
  }

  ownerOf(client: number): MemberId | undefined {
    return this.#owners.get(client)
  }

  /** Returns the clients of those who are gone. */
  forgetAbsent(present: ReadonlySet<MemberId>): number[] {
    const gone = [...this.#owners].filter(([, member]) => !present.has(member)).map(([client]) => client)
    for (const client of gone) this.#owners.delete(client)
    return gone
  }
}

/** The client that an awareness update speaks for; null unless it is exactly one (y-protocols, awareness encoding). */
export function singleClient(update: Uint8Array): number | null {
  try {
    const decoder = createDecoder(update)
    if (readVarUint(decoder) !== 1) return null
    const client = readVarUint(decoder)
    readVarUint(decoder)
    readVarString(decoder)
    return decoder.pos === update.length ? client : null
  } catch {
    return null
  }
}
