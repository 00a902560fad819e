import * as Y from "yjs"
import { callSafely } from "../connection/emitter.ts"
import type { EngineConnection } from "../connection/engine-connection.ts"

/** Appended updates beyond this size, and beyond the whole document's size, are compacted into one. */
const APPENDED_BYTES_MAX = 1024 * 1024
/** Retry delay after a failed write. The retry includes later changes. */
const RETRY_MS = 5000

/**
 * Keeps a document on this device. It restores the document on opening and appends all members' changes. One write runs
 * at a time and includes the changes since the last one, so drawing never waits for a disk.
 */
export class DocumentCopy {
  /** Resolves when the copy is restored or could not be read. Its updates have this object as their origin. */
  readonly restored: Promise<void>
  readonly #doc: Y.Doc
  readonly #call: { readonly id: string; readonly part: string }
  readonly #connection: EngineConnection
  #changes: Uint8Array[] = []
  #writing = false
  #whole = { due: false, bytes: 0 }
  #appended = 0
  #closed = false

  constructor(doc: Y.Doc, name: string, conference: string, connection: EngineConnection) {
    this.#doc = doc
    this.#call = { id: conference, part: `document/${name}` }
    this.#connection = connection
    this.restored = this.#restore()
    doc.on("update", (update: Uint8Array, origin: unknown) => {
      if (origin === this) return
      this.#changes.push(update)
      if (!this.#writing) void this.#write()
    })
  }

  close(): void {
    this.#closed = true
  }

  async #restore(): Promise<void> {
    const updates = await this.#connection.call("copy.read", this.#call).catch(() => [])
    for (const update of updates) {
      this.#appended += update.length
      // An observer of the application may throw. The rest must still be restored.
      callSafely(() => Y.applyUpdate(this.#doc, update, this))
    }
  }

  async #write(): Promise<void> {
    this.#writing = true
    // A compacted write must include the earlier content.
    await this.restored
    while (this.#changes.length > 0 && !this.#closed) {
      const update = this.#next()
      const params = { ...this.#call, bytes: update, how: this.#whole.due ? "replace" : "append" } as const
      const kept = await this.#connection.call("copy.write", params).catch(() => false)
      if (kept) this.#onKept(update)
      else await this.#onFailed(update)
    }
    this.#writing = false
  }

  #next(): Uint8Array {
    const changes = this.#changes
    this.#changes = []
    return this.#whole.due ? Y.encodeStateAsUpdate(this.#doc) : Y.mergeUpdates(changes)
  }

  #onKept(update: Uint8Array): void {
    if (this.#whole.due) {
      this.#whole = { due: false, bytes: update.length }
      this.#appended = 0
      return
    }
    this.#appended += update.length
    this.#whole.due = this.#appended > Math.max(APPENDED_BYTES_MAX, this.#whole.bytes)
  }

  /** At the storage's quota a compacted document may still fit where another update does not. */
  async #onFailed(update: Uint8Array): Promise<void> {
    this.#changes.unshift(update)
    this.#whole.due = true
    if (!this.#closed) await new Promise((done) => setTimeout(done, RETRY_MS))
  }
}
