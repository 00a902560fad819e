type Entry = { readonly atMs: number; readonly order: number; readonly run: () => void }

/** Virtual time: a binary heap of tasks, by time, then by order of scheduling. */
export class EventQueue {
  readonly #heap: Entry[] = []
  #order = 0
  nowMs = 0

  after(delayMs: number, run: () => void): void {
    this.#push({ atMs: this.nowMs + delayMs, order: this.#order++, run })
  }

  /** Runs everything up to `untilMs`, and yields after each task. */
  *upTo(untilMs: number): Generator<void, void> {
    while (this.#heap.length > 0 && this.#heap[0]!.atMs <= untilMs) {
      const entry = this.#pop()
      this.nowMs = entry.atMs
      entry.run()
      yield
    }
    this.nowMs = untilMs
  }

  runUntil(untilMs: number): void {
    const steps = this.upTo(untilMs)
    while (!steps.next().done);
  }

  #push(entry: Entry): void {
    const heap = this.#heap
    let index = heap.push(entry) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!before(entry, heap[parent]!)) break
      heap[index] = heap[parent]!
      index = parent
    }
    heap[index] = entry
  }

  #pop(): Entry {
    const heap = this.#heap
    const top = heap[0]!
    const last = heap.pop()!
    if (heap.length === 0) return top
    let index = 0
    for (let child = 1; child < heap.length; child = 2 * index + 1) {
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++
      if (!before(heap[child]!, last)) break
      heap[index] = heap[child]!
      index = child
    }
    heap[index] = last
    return top
  }
}

function before(a: Entry, b: Entry): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order)
}
