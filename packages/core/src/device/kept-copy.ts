import type { StorageState } from "../api/index.ts"
import type { LocalCopy } from "./stores/local-copy.ts"
import { storageUnavailable } from "../identity/store.ts"
import { LogCopy } from "./log-copy.ts"

/** Local copy of a conference, with its state for the application. */
export class KeptCopy {
  readonly log: LogCopy
  readonly #copy: LocalCopy
  readonly #changed: (state: StorageState) => void
  #state: StorageState = "kept"

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
    const written = this.#copy.write(applicationPart(part), bytes, how)
    return (await this.#watch(written.then(() => true))) ?? false
  }

  /** Resolves when everything that was passed in before is stored, or has failed to be. */
  async settle(): Promise<void> {
    await this.log.settled
    await this.#copy.settled
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
