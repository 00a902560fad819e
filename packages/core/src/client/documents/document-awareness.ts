import { createDecoder, readVarString, readVarUint } from "lib0/decoding"
import {
  applyAwarenessUpdate,
  type Awareness,
  encodeAwarenessUpdate,
  removeAwarenessStates,
} from "y-protocols/awareness"
import { callSafely } from "../connection/emitter.ts"

/** Sends this member's awareness state and takes those of the others, each only from its own member. */
export class DocumentAwareness {
  readonly #awareness: Awareness
  readonly #send: (update: Uint8Array) => Promise<unknown>
  /** Only the newest state of a pointer matters: whether one is in flight, and whether there is a newer one. */
  #announcing = false
  #announceAgain = false

  constructor(awareness: Awareness, send: (update: Uint8Array) => Promise<unknown>) {
    this.#awareness = awareness
    this.#send = send
    // Yjs would send an unchanged state every 15 s, and drop states that are not renewed. Here the view says who is
    // present. Each renewal would end the calm of all members and count as activity that renews the key.
    clearInterval(awareness._checkInterval)
    awareness.on("update", (_: unknown, origin: unknown) => {
      if (origin !== this) this.#announce()
    })
  }

  /** Drops the states of members that are gone, and sends the own state to newcomers. */
  onView(isPresent: (client: number) => boolean): void {
    const gone = [...this.#awareness.meta.keys()].filter((client) => !isPresent(client))
    // Yjs keeps the clocks, and drops a state with a known clock. A member that returns announces the same one.
    for (const client of gone) this.#awareness.meta.delete(client)
    callSafely(() => removeAwarenessStates(this.#awareness, gone, this))
    callSafely(() => this.#announce())
  }

  /** Yjs lets any client set another's state. Here an update must contain exactly its sender's client. */
  receive(client: number | undefined, update: Uint8Array): void {
    if (singleClient(update) === client) callSafely(() => applyAwarenessUpdate(this.#awareness, update, this))
  }

  #announce(): void {
    if (this.#announcing) {
      this.#announceAgain = true
      return
    }
    const { clientID } = this.#awareness
    if (this.#awareness.getLocalState() === null && !this.#awareness.meta.has(clientID)) return
    // Throws on a state that is no JSON.
    const update = encodeAwarenessUpdate(this.#awareness, [clientID])
    this.#announcing = true
    this.#announceAgain = false
    void this.#send(update).then(() => {
      this.#announcing = false
      if (this.#announceAgain) callSafely(() => this.#announce())
    })
  }
}

/**
 * Returns the client of an awareness update; null unless it has exactly one, with a state in JSON (y-protocols,
 * awareness encoding). The library throws on any other state.
 */
export function singleClient(update: Uint8Array): number | null {
  try {
    const decoder = createDecoder(update)
    if (readVarUint(decoder) !== 1) return null
    const client = readVarUint(decoder)
    readVarUint(decoder)
    JSON.parse(readVarString(decoder))
    return decoder.pos === update.length ? client : null
  } catch {
    return null
  }
}
