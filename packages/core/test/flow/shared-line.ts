const PACKET_BYTES = 1200

type Item = { leftBytes: number; readonly arrive: () => void }

/** A line that several streams share. They take turns with each packet. Call `carry` regularly. */
export class SharedLine {
  readonly #bytesPerMs: number
  #creditBytes = 0
  /** The one whose turn is next comes first. */
  readonly #streams = new Map<unknown, Item[]>()

  constructor(bytesPerSecond: number) {
    this.#bytesPerMs = bytesPerSecond / 1000
  }

  put(stream: unknown, bytes: number, arrive: () => void): void {
    const items = this.#streams.get(stream) ?? []
    items.push({ leftBytes: bytes, arrive })
    this.#streams.set(stream, items)
  }

  carry(ms: number): void {
    this.#creditBytes += ms * this.#bytesPerMs
    for (let [next] = this.#streams; next && this.#creditBytes > 0; [next] = this.#streams) {
      const [stream, items] = next
      const item = items[0]!
      const bytes = Math.min(PACKET_BYTES, item.leftBytes)
      this.#creditBytes -= bytes
      item.leftBytes -= bytes
      if (item.leftBytes === 0) items.shift()!.arrive()
      this.#streams.delete(stream)
      if (items.length > 0) this.#streams.set(stream, items)
    }
    if (this.#streams.size === 0) this.#creditBytes = Math.min(0, this.#creditBytes)
  }
}
