import type { Sink } from "@keymoot/transport"
import * as Y from "yjs"
import { callSafely } from "../connection/emitter.ts"
import type { EngineConnection } from "../connection/engine-connection.ts"

/** Appended updates beyond this size, and beyond the whole document's size, are compacted into one. */
const APPENDED_BYTES_MAX = 1024 * 1024
/** Delay of the first retry after a failed read or write. The retry includes later changes. */
export const RETRY_MS = 5000
/** A failed write may encode the whole document, so further retries wait twice as long each, up to this time. */
export const RETRY_MS_MAX = 120_000

/** Next clock of each client. */
export type Clocks = ReadonlyMap<number, number>

type Timer = ReturnType<typeof setTimeout>

type DocumentCopyConfig = {
  readonly doc: Y.Doc
  readonly name: string
  readonly conference: string
  readonly connection: EngineConnection
  /**
   * Takes the clocks up to which the copy has added content; empty if it has added deletions only. A first read calls
   * it before `DocumentCopy.restored` resolves.
   */
  readonly restored: Sink<Clocks>
}

/**
 * Keeps a document on this device. It restores the document on opening and appends all members' changes. One write runs
 * at a time and includes the changes since the last one, so drawing never waits for a disk.
 */
export class DocumentCopy {
  /** Resolves when the copy is restored or could not be read. Its updates have this object as their origin. */
  readonly restored: Promise<void>
  /** Resolves when the copy is restored, also if reads failed before, or when it is closed. */
  readonly complete: Promise<void>
  #onComplete = (): void => undefined
  readonly #doc: Y.Doc
  readonly #call: { readonly id: string; readonly part: string }
  readonly #connection: EngineConnection
  readonly #onRestored: Sink<Clocks>
  #changes: Uint8Array[] = []
  #working = false
  #settled: Promise<void>
  /** The stored records are in the document. Before that a compacted write would delete them. */
  #isRead = false
  /** The stored records have changed the document. A deletion does so without a growing clock. */
  #hasAdded = false
  #whole = { due: false, bytes: 0 }
  #appended = 0
  /** Retries of a failed read and a failed write. Each has its own, so that writes do not wait for reads. */
  readonly #retries: { read?: Timer; write?: Timer } = {}
  #writeRetryMs = RETRY_MS
  #closed = false

  constructor({ doc, name, conference, connection, restored }: DocumentCopyConfig) {
    this.#doc = doc
    this.#onRestored = restored
    this.#call = { id: conference, part: `document/${name}` }
    this.#connection = connection
    this.complete = new Promise((resolve) => (this.#onComplete = resolve))
    this.restored = this.#read()
    this.#settled = this.#work()
    doc.on("update", this.#onUpdate)
  }

  readonly #onUpdate = (update: Uint8Array, origin: unknown): void => {
    if (origin === this) {
      this.#hasAdded = true
      return
    }
    this.#changes.push(update)
    if (!this.#working) this.#settled = this.#work()
  }

  /** Resolves when all changes so far are stored, or a write has failed. */
  get settled(): Promise<void> {
    return this.#settled
  }

  close(): void {
    this.#closed = true
    this.#onComplete()
    this.#doc.off("update", this.#onUpdate)
    clearTimeout(this.#retries.read)
    clearTimeout(this.#retries.write)
  }

  /** A failed read is no empty copy: it is retried. */
  async #read(): Promise<void> {
    const updates = await this.#connection.call("copy.read", this.#call).catch(() => null)
    if (this.#closed) return
    if (!updates) {
      this.#retries.read = setTimeout(() => void this.#read(), RETRY_MS)
      return
    }
    const before = clocksOf(this.#doc)
    for (const update of updates) {
      this.#appended += update.length
      // An observer of the application may throw. The rest must still be restored.
      callSafely(() => Y.applyUpdate(this.#doc, update, this))
    }
    this.#isRead = true
    const added = [...clocksOf(this.#doc)].filter(([client, clock]) => clock > (before.get(client) ?? 0))
    if (this.#hasAdded) this.#onRestored.take(new Map(added))
    this.#onComplete()
  }

  async #work(): Promise<void> {
    this.#working = true
    await this.restored
    let works = true
    while (works && !this.#closed && this.#changes.length > 0) works = await this.#write()
    if (works) this.#working = false
    else if (!this.#closed) {
      this.#retries.write = setTimeout(() => (this.#settled = this.#work()), this.#writeRetryMs)
      this.#writeRetryMs = Math.min(2 * this.#writeRetryMs, RETRY_MS_MAX)
    }
  }

  async #write(): Promise<boolean> {
    const changes = this.#changes
    this.#changes = []
    const whole = this.#whole.due && this.#isRead
    const bytes = whole ? Y.encodeStateAsUpdate(this.#doc) : Y.mergeUpdates(changes)
    const params = { ...this.#call, bytes, how: whole ? "replace" : "append" } as const
    const kept = await this.#connection.call("copy.write", params).catch(() => false)
    if (kept) this.#onKept(bytes.length, whole)
    else {
      this.#changes.unshift(bytes)
      // At the storage's quota a compacted document may still fit where another update does not.
      this.#whole.due = true
    }
    return kept
  }

  #onKept(bytes: number, whole: boolean): void {
    this.#writeRetryMs = RETRY_MS
    if (whole) this.#whole = { due: false, bytes }
    this.#appended = whole ? 0 : this.#appended + bytes
    this.#whole.due ||= this.#appended > Math.max(APPENDED_BYTES_MAX, this.#whole.bytes)
  }
}

function clocksOf(doc: Y.Doc): Clocks {
  return Y.decodeStateVector(Y.encodeStateVector(doc))
}
