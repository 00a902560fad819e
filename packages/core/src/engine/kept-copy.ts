import type { StorageState } from "../api.ts"
import type { LocalCopy } from "../local-copies/index.ts"
import { LogCopy } from "./log-copy.ts"

/** A conference's copy on this device, with what the application is told of it. */
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

  /** What there is of it; nothing, and said so, if the storage fails. */
  async read(part: string): Promise<Uint8Array[]> {
    return (await this.#watch(this.#copy.read(applicationPart(part)))) ?? []
  }

  /** @returns whether it is kept now */
  async write(part: string, bytes: Uint8Array, how: "append" | "replace"): Promise<boolean> {
    const written = this.#copy.write(applicationPart(part), bytes, how)
    return (await this.#watch(written.then(() => true))) ?? false
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

/** No name that an application chooses is one of ours. */
function applicationPart(name: string): string {
  return `application/${name}`
}
