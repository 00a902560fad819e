/** Common base of this package's databases in a browser's IndexedDB. */
import {
  type DBSchema,
  type IDBPDatabase,
  type IDBPTransaction,
  openDB,
  type OpenDBCallbacks,
  type StoreNames,
} from "idb"
import { type CopySize, overBound } from "./copy-store.ts"

type Transaction<S extends DBSchema, N extends StoreNames<S>[]> = IDBPTransaction<S, N, "readwrite">

/** Opens on first use, and again after the browser closed it or another tab requested a newer schema. */
export class BrowserDatabase<S extends DBSchema> {
  readonly #name: string
  readonly #version: number
  readonly #upgrade: OpenDBCallbacks<S>["upgrade"]
  #opened: Promise<IDBPDatabase<S>> | null = null

  constructor(name: string, version: number, upgrade: OpenDBCallbacks<S>["upgrade"]) {
    this.#name = name
    this.#version = version
    this.#upgrade = upgrade
  }

  open(): Promise<IDBPDatabase<S>> {
    this.#opened ??= openDB<S>(this.#name, this.#version, {
      ...(this.#upgrade && { upgrade: this.#upgrade }),
      blocking: () => void this.close(),
      terminated: () => this.forgetOpened(),
    }).catch((error: unknown) => {
      this.forgetOpened()
      throw error
    })
    return this.#opened
  }

  async close(): Promise<void> {
    const closing = this.#opened
    this.forgetOpened()
    await closing?.then(
      (database) => database.close(),
      () => undefined,
    )
  }

  /** The next call may find the storage usable. */
  forgetOpened(): void {
    this.#opened = null
  }

  /** Runs an atomic transaction. */
  async transact<N extends StoreNames<S>[], T>(
    stores: N,
    action: (transaction: Transaction<S, N>) => Promise<T>,
  ): Promise<T> {
    const transaction = (await this.open()).transaction(stores, "readwrite")
    try {
      const result = await action(transaction)
      await transaction.done
      return result
    } catch (error) {
      // The earlier error is the cause; the later one follows from it.
      transaction.done.catch(() => undefined)
      throw error
    }
  }
}

type Rows<R> = { readonly put: (row: R) => Promise<unknown>; readonly getAll: () => Promise<R[]> }

/** Records a conference's present size. Returns the conferences to evict so that all together respect the bound. */
export async function account<R extends CopySize>(
  conferences: Rows<R>,
  row: Omit<R, "usedAtMs">,
  bytesMax: number,
): Promise<string[]> {
  await conferences.put({ ...row, usedAtMs: Date.now() } as R)
  return overBound(await conferences.getAll(), row.conferenceId, bytesMax)
}

type Cursor<V> = {
  readonly value: V
  readonly delete: () => Promise<void>
  readonly continue: () => Promise<Cursor<V> | null>
}

/** Returns the number of deleted bytes. */
export async function deleteAll<V>(first: Cursor<V> | null, bytesOf: (value: V) => number): Promise<number> {
  let bytes = 0
  for (let cursor = first; cursor; cursor = await cursor.continue()) {
    bytes += bytesOf(cursor.value)
    await cursor.delete()
  }
  return bytes
}
