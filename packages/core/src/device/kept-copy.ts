import type { StorageState } from "../api/index.ts"
import type { LocalCopy } from "./stores/local-copy.ts"
import { storageUnavailable } from "../identity/store.ts"
import { LogCopy } from "./log-copy.ts"

/** Time for the page to pass on what it gathered during a write. */
const PAGE_MS = 100

/** Local copy of a conference, with its state for the application. */
export class KeptCopy {
  readonly log: LogCopy
  readonly #copy: LocalCopy
  readonly #changed: (state: StorageState) => void
  #state: StorageState = "kept"
  /** Numbers of the application's writes. */
  readonly #writes = { begun: 0, ended: 0 }

  constructor(copy: LocalCopy, changed: (state: StorageState) => void) {
    this.#copy = copy
    this.#changed = changed
    this.log = new LogCopy(copy, (outcome) => this.#watch(outcome))
  }

  get state(): StorageState {
    return this.#state
  }

  /** Returns the stored records. @throws KeymootError `storage-unavailable`: there may be records */
  async read(part: string): Promise<Uint8Array[]> {
    const records = await this.#watch(this.#copy.read(applicationPart(part)))
    if (!records) throw storageUnavailable(null)
    return records
  }

  /** @returns whether it is stored now */
  async write(part: string, bytes: Uint8Array, how: "append" | "replace"): Promise<boolean> {
    this.#writes.begun++
    const written = await this.#watch(this.#copy.write(applicationPart(part), bytes, how).then(() => true))
    this.#writes.ended++
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

  async #watch<T>(outcome: Promise<T>): Promise<T | null> {
    const result = await outcome.then(
      (value) => ({ value }),
      () => null,
    )
    const state = result ? "kept" : "failing"
    if (state !== this.#state) {
      this.#state = state
      this.#changed(state)
      if (state === "kept") this.log.catchUp()
    }
    return result && result.value
  }
}

/** Prefixes the application's names, so that they cannot equal internal ones. */
function applicationPart(name: string): string {
  return `application/${name}`
}
