import { sameEntry, type Order } from "../wire/messages.ts"

/** Of the newest signed ORDER frames of a view: enough to show what was ordered since the others' last acknowledgements. */
export const EVIDENCE_BYTES_MAX = 1024 * 1024

type OrderFrame = { readonly message: Order; readonly bytes: Uint8Array }

/** The sequencer's own words. Two frames of it that name different messages for one place convict it, whoever shows them. */
export class OrderEvidence {
  #frames: OrderFrame[] = []
  #bytes = 0

  keep(frame: OrderFrame): void {
    this.#frames.push(frame)
    this.#bytes += frame.bytes.length
    while (this.#bytes > EVIDENCE_BYTES_MAX) this.#bytes -= this.#frames.shift()!.bytes.length
  }

  contradicts({ first, entries }: Order): boolean {
    return this.#frames.some(({ message }) =>
      entries.some((entry, i) => {
        const known = message.entries[first + i - message.first]
        return known !== undefined && !sameEntry(known, entry)
      }),
    )
  }

  /** To show to one who was told something else. */
  get frames(): readonly Uint8Array[] {
    return this.#frames.map(({ bytes }) => bytes)
  }
}
