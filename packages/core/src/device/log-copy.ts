import * as P from "micro-packed"
import type { MemberId } from "@keymoot/transport"
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import type { LocalCopy } from "./stores/local-copy.ts"
import { decodeSnapshot, encodeSnapshot, type LogSnapshot, takeSnapshot } from "../history/log-snapshot.ts"
import { LOG_BYTES_MAX, LOG_ITEMS_MAX } from "../history/conference-log.ts"
import type { LogItem, TransferredBy } from "../history/log-item.ts"
import { boundedList, decodeOrNull, versionByte } from "../wire/index.ts"

const PART = "log"
/** Number of records after which they are compacted into one. */
const RECORDS_MAX = 512

const transferredBy: P.CoderType<TransferredBy> = P.apply(P.struct({ id: P.bytes(16), name: P.string(P.U8) }), {
  encode: ({ id, name }) => ({ id: bytesToHex(id) as MemberId, name }),
  decode: ({ id, name }: TransferredBy) => ({ id: hexToBytes(id), name }),
})

/**
 * A snapshot does not say which member transferred an item, so the copy stores that separately, by the item's position.
 */
const record = P.struct({
  version: versionByte(2),
  transferred: boundedList(P.struct({ index: P.U16BE, by: transferredBy }), LOG_ITEMS_MAX),
  snapshot: P.bytes(null),
})

function encodeRecord(snapshot: LogSnapshot): Uint8Array {
  const transferred = snapshot.items.flatMap(({ transferredBy: by }, index) => (by ? [{ index, by }] : []))
  return record.encode({ transferred, snapshot: encodeSnapshot(snapshot) })
}

function decodeRecord(bytes: Uint8Array): LogSnapshot | null {
  const decoded = decodeOrNull(record, bytes)
  const snapshot = decoded && decodeSnapshot(decoded.snapshot)
  if (!snapshot) return null
  const by = new Map(decoded.transferred.map((each) => [each.index, each.by]))
  return { ...snapshot, items: snapshot.items.map((item, index) => ({ ...item, transferredBy: by.get(index) })) }
}

/** The log and the certificates to write it. */
type Log = { readonly whole: Iterable<LogItem>; readonly certificateOf: CertificateOf }
type CertificateOf = (fingerprint: string) => Uint8Array | undefined

/** Reports the outcome of a read or write; null if it failed. */
type Watch = <T>(what: "read" | "write", outcome: Promise<T>) => Promise<T | null>

/**
 * Local copy of the log, appended as items arrive. One write runs at a time and includes the items since the last one.
 * A failing storage must not stop the conversation.
 */
export class LogCopy {
  readonly #copy: LocalCopy
  readonly #watch: Watch
  #records = 0
  /** The log holds what the device does. Before that a rewritten copy would lose it. */
  #isRead = false
  #gathered: LogItem[] = []
  #writing = false
  #last: Promise<void> = Promise.resolve()
  /** As last passed to `add`. */
  #log: Log | null = null
  /** A write has failed, so the device lacks its items. */
  #behind = false
  /** The device holds items that are not in the log, such as erased ones. */
  #stale = false

  constructor(copy: LocalCopy, watch: Watch) {
    this.#copy = copy
    this.#watch = watch
  }

  /** Returns what an earlier incarnation stored, unverified; null if it could not be read. */
  async read(): Promise<LogSnapshot[] | null> {
    const records = await this.#watch("read", this.#copy.read(PART))
    if (!records) return null
    this.#records += records.length
    return records.map(decodeRecord).filter((snapshot) => snapshot !== null)
  }

  /** The log now holds what `read` returned. Rewrites a copy that holds erased items. Arguments as for `add`. */
  restored(whole: Iterable<LogItem>, certificateOf: CertificateOf): void {
    this.#isRead = true
    this.#log = { whole, certificateOf }
    if (this.#stale && !this.#writing) this.#last = this.#write(this.#log)
  }

  /** An item of the copy is not in the log. The next addition, or `restored`, rewrites the whole copy. */
  erased(): void {
    this.#stale = true
  }

  /** @param whole the log including `added`, for its lifetime */
  add(added: readonly LogItem[], whole: Iterable<LogItem>, certificateOf: CertificateOf): void {
    this.#gathered.push(...added)
    this.#log = { whole, certificateOf }
    if (!this.#writing && this.#gathered.length > 0) this.#last = this.#write(this.#log)
  }

  /** The storage works again: writes the missing items now instead of with the next message. */
  catchUp(): void {
    if (this.#behind && !this.#writing && this.#log) this.#last = this.#write(this.#log)
  }

  /** Resolves when every item that was added before is stored, or has failed to be. */
  get settled(): Promise<void> {
    return this.#last
  }

  async #write({ whole, certificateOf }: Log): Promise<void> {
    this.#writing = true
    do {
      // An append after a failed write would leave a permanent gap.
      const isWhole = this.#behind || isLarge(this.#gathered)
      const replace = this.#isRead && (isWhole || this.#stale || this.#records >= RECORDS_MAX)
      const items = isWhole || replace ? whole : this.#gathered
      this.#gathered = []
      if (replace) this.#stale = false
      // Every record includes its authors' certificates, because another incarnation knows no member.
      const bytes = encodeRecord(takeSnapshot(items, new Set(), certificateOf))
      const written = this.#copy.write(PART, bytes, replace ? "replace" : "append").then(() => true)
      this.#behind = (await this.#watch("write", written)) === null
      if (!this.#behind) this.#records = replace ? 1 : this.#records + 1
    } while (this.#gathered.length > 0 || (this.#isRead && this.#stale))
    this.#writing = false
  }
}

/** More than half of a record's capacity. The log itself is bounded and always fits. */
function isLarge(items: readonly LogItem[]): boolean {
  const bytes = items.reduce((total, { payload }) => total + payload.length, 0)
  return items.length > LOG_ITEMS_MAX / 2 || bytes > LOG_BYTES_MAX / 2
}
