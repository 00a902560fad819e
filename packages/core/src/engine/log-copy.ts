import type { LocalCopy } from "../local-copies/index.ts"
import {
  decodeSnapshot,
  encodeSnapshot,
  LOG_BYTES_MAX,
  LOG_ITEMS_MAX,
  type LogItem,
  type LogSnapshot,
  takeSnapshot,
} from "../history/index.ts"

const PART = "log"
/** Records after which they are written anew as one. */
const RECORDS_MAX = 512

type CertificateOf = (fingerprint: string) => Uint8Array | undefined

/**
 * The log at rest: what was said, appended as it comes. One write is under way at a time and takes along what has gathered
 * meanwhile. Failing to keep it must not keep anybody from talking.
 */
export class LogCopy {
  readonly #copy: LocalCopy
  readonly #written: (outcome: Promise<void>) => Promise<unknown>
  #records = 0
  #gathered: LogItem[] = []
  #writing = false

  /** `written`: told of each write, to say whether the device still keeps things; never rejects. */
  constructor(copy: LocalCopy, written: (outcome: Promise<void>) => Promise<unknown>) {
    this.#copy = copy
    this.#written = written
  }

  /** What an earlier life kept, nothing of it verified. */
  async read(): Promise<LogSnapshot[]> {
    const records = await this.#copy.read(PART)
    this.#records = records.length
    return records.map(decodeSnapshot).filter((snapshot) => snapshot !== null)
  }

  /** @param whole the log with `added` in it, as long as it lives */
  add(added: readonly LogItem[], whole: Iterable<LogItem>, certificateOf: CertificateOf): void {
    this.#gathered.push(...added)
    if (!this.#writing) void this.#write(whole, certificateOf)
  }

  async #write(whole: Iterable<LogItem>, certificateOf: CertificateOf): Promise<void> {
    this.#writing = true
    while (this.#gathered.length > 0) {
      const isFull = this.#records >= RECORDS_MAX || isLarge(this.#gathered)
      const items = isFull ? whole : this.#gathered
      this.#gathered = []
      // Every record brings its authors' certificates: another life knows nobody.
      const record = encodeSnapshot(takeSnapshot(items, new Set(), certificateOf))
      this.#records = isFull ? 1 : this.#records + 1
      await this.#written(this.#copy.write(PART, record, isFull ? "replace" : "append"))
    }
    this.#writing = false
  }
}

/** More than half of what a record can hold: the log itself, which drops what is over its bounds, always fits. */
function isLarge(items: readonly LogItem[]): boolean {
  const bytes = items.reduce((total, { payload }) => total + payload.length, 0)
  return items.length > LOG_ITEMS_MAX / 2 || bytes > LOG_BYTES_MAX / 2
}
