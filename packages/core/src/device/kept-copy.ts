import type { StorageState } from "../api/index.ts"
import type { LocalCopy } from "./stores/local-copy.ts"
import { storageUnavailable } from "../identity/store.ts"
import { LogCopy } from "./log-copy.ts"

/** Time for the page to pass on what it gathered during a write. */
const PAGE_MS = 100

const WRITE_LOG = "write log"

/** Local copy of a conference, with its state for the application. */
export class KeptCopy {
  readonly log: LogCopy
  readonly #copy: LocalCopy
  readonly #changed: (state: StorageState) => void
  /** Reads and writes of which the last one failed, by part. */
  readonly #failing = new Set<string>()
  /** Numbers of the application's writes. */
  readonly #writes = { begun: 0, ended: 0 }

  constructor(copy: LocalCopy, changed: (state: StorageState) => void) {
    this.#copy = copy
    this.#changed = changed
    this.log = new LogCopy(copy, (what, outcome) => this.#watch(`${what} log`, outcome))
  }

  /** "kept" only if no part is failing. */
  get state(): StorageState {
    return this.#failing.size > 0 ? "failing" : "kept"
  }

  /** Returns the stored records. @throws KeymootError `storage-unavailable`: there may be records */
  async read(part: string): Promise<Uint8Array[]> {
    const name = applicationPart(part)
    const records = await this.#watch(`read ${name}`, this.#copy.read(name))
    if (!records) throw storageUnavailable(null)
    return records
  }

  /** @returns whether it is stored now */
  async write(part: string, bytes: Uint8Array, how: "append" | "replace"): Promise<boolean> {
    const name = applicationPart(part)
    this.#writes.begun++
    const written = await this.#watch(
      `write ${name}`,
      this.#copy.write(name, bytes, how).then(() => true),
    )
    this.#writes.ended++
    // Nothing unread is left.
    if (written && how === "replace") this.#set(`read ${name}`, true)
    return written ?? false
  }

  /**
   * Resolves when everything that was passed in before is stored, or has failed to be. It includes what the page
   * gathers during a write and passes in after it.
   */
  async settle(): Promise<void> {
    await this.log.settled
    let seen = this.#writes.ended
    while (seen !== this.#writes.begun) {
      seen = this.#writes.begun
      await this.#copy.settled
      await new Promise((done) => setTimeout(done, PAGE_MS))
    }
  }

  async #watch<T>(what: string, outcome: Promise<T>): Promise<T | null> {
    const result = await outcome.then(
      (value) => ({ value }),
      () => null,
    )
    this.#set(what, result !== null)
    // The log itself is written only when something was said.
    if (result && this.#failing.has(WRITE_LOG) && what !== WRITE_LOG) this.log.catchUp()
    return result && result.value
  }

  #set(what: string, works: boolean): void {
    const before = this.state
    if (works) this.#failing.delete(what)
    else this.#failing.add(what)
    if (this.state !== before) this.#changed(this.state)
  }
}

/** Prefixes the application's names, so that they cannot equal internal ones. */
function applicationPart(name: string): string {
  return `application/${name}`
}
