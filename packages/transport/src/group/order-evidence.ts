import { sameEntry, type Order } from "../wire/messages.ts"

/**
 * Bytes of the newest signed ORDER frames of a view. They cover what was ordered since the others' last
 * acknowledgements.
 */
export const ORDER_EVIDENCE_BYTES_MAX = 1024 * 1024

type OrderFrame = { readonly message: Order; readonly bytes: Uint8Array }

/**
 * The ORDER frames that the sequencer signed. Two frames that name different messages for one place convict it,
 * whichever members show them.
 */
export class OrderEvidence {
  #frames: OrderFrame[] = []
  #bytes = 0

  keep(frame: OrderFrame): void {
    this.#frames.push(frame)
    this.#bytes += frame.bytes.length
    while (this.#bytes > ORDER_EVIDENCE_BYTES_MAX) this.#bytes -= this.#frames.shift()!.bytes.length
  }

  contradicts({ first, entries }: Order): boolean {
    return this.#frames.some(({ message }) =>
      entries.some((entry, i) => {
        const known = message.entries[first + i - message.first]
        return known !== undefined && !sameEntry(known, entry)
      }),
    )
  }

  /** To be shown to a member that received a different ORDER. */
  get frames(): readonly Uint8Array[] {
    return this.#frames.map(({ bytes }) => bytes)
  }
}
