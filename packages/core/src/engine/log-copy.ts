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

/** And what it takes to write it. */
type Log = { readonly whole: Iterable<LogItem>; readonly certificateOf: CertificateOf }
type CertificateOf = (fingerprint: string) => Uint8Array | undefined

/**
 * The log at rest: what was said, appended as it comes. One write is under way at a time and takes along what has gathered
 * meanwhile. Failing to keep it must not keep anybody from talking.
 */
export class LogCopy {
  readonly #copy: LocalCopy
  readonly #written: (outcome: Promise<boolean>) => Promise<boolean | null>
  #records = 0
  #gathered: LogItem[] = []
  #writing = false
  /** As last told. */
  #log: Log | null = null
  /** A write has failed, and what it held is not on the device. */
  #behind = false
  /** The device holds what is not in the log any more. */
  #stale = false

  /** `written`: told of each write, to say whether the device still keeps things; null if it failed. */
  constructor(copy: LocalCopy, written: (outcome: Promise<boolean>) => Promise<boolean | null>) {
    this.#copy = copy
    this.#written = written
  }

  /** What an earlier life kept, nothing of it verified. */
  async read(): Promise<LogSnapshot[]> {
    const records = await this.#copy.read(PART)
    this.#records = records.length
    return records.map(decodeSnapshot).filter((snapshot) => snapshot !== null)
  }

  /** Something in the log was taken back: with what is added next, all of it is written anew. */
  erased(): void {
    this.#stale = true
  }

  /** @param whole the log with `added` in it, as long as it lives */
  add(added: readonly LogItem[], whole: Iterable<LogItem>, certificateOf: CertificateOf): void {
    this.#gathered.push(...added)
    this.#log = { whole, certificateOf }
    if (!this.#writing && this.#gathered.length > 0) void this.#write(this.#log)
  }

  /** The device keeps things again: what could not be written is written now, and not with the next message only. */
  catchUp(): void {
    if (this.#behind && !this.#writing && this.#log) void this.#write(this.#log)
  }

  async #write({ whole, certificateOf }: Log): Promise<void> {
    this.#writing = true
    do {
      const replace = this.#behind || this.#stale || this.#records >= RECORDS_MAX || isLarge(this.#gathered)
      const items = replace ? whole : this.#gathered
      this.#gathered = []
      this.#stale = false
      // Every record brings its authors' certificates: another life knows nobody.
      const record = encodeSnapshot(takeSnapshot(items, new Set(), certificateOf))
      const written = this.#copy.write(PART, record, replace ? "replace" : "append").then(() => true)
      // Appended to what has a gap, the log would have the gap for good.
      this.#behind = (await this.#written(written)) === null
      if (!this.#behind) this.#records = replace ? 1 : this.#records + 1
    } while (this.#gathered.length > 0)
    this.#writing = false
  }
}

/** More than half of what a record can hold: the log itself, which drops what is over its bounds, always fits. */
function isLarge(items: readonly LogItem[]): boolean {
  const bytes = items.reduce((total, { payload }) => total + payload.length, 0)
  return items.length > LOG_ITEMS_MAX / 2 || bytes > LOG_BYTES_MAX / 2
}
