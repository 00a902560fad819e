import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"

import { open, seal } from "../../ciphers/sealing.ts"
import { domainSeparated } from "../../wire/index.ts"
import type { CopyStore } from "./copy-store.ts"

/**
 * Local copy of one conference, so that a reload or a crash of the tab loses nothing. It is encrypted under its own
 * key, which leaving destroys. The key lies in the same storage. So it protects a copied record, not a copied profile,
 * because browsers do not encrypt the disk.
 */
export class LocalCopy {
  readonly #store: CopyStore
  /** Id of the owner and the conference. */
  readonly id: string
  #key: Promise<CryptoKey> | null = null
  #last: Promise<unknown> = Promise.resolve()
  #forgotten = false

  /** @param owner the identity's public key: a rename keeps the copy, and each identity on this device has its own. */
  constructor(store: CopyStore, owner: Uint8Array, conferenceId: string) {
    this.#store = store
    this.id = `${bytesToHex(owner)}/${conferenceId}`
  }

  /**
   * Returns records in the order of writing, without those that cannot be decrypted. After `forget` there are none: the
   * storage would make a new key, and with it a new copy.
   */
  async read(part: string): Promise<Uint8Array[]> {
    if (this.#forgotten) return []
    const key = await this.#copyKey()
    const records = await this.#store.read(this.id, part)
    const opened = await Promise.all(records.map((record) => open(key, this.#context(part), record)))
    return opened.filter((record) => record !== null)
  }

  /**
   * Writes keep the order of the calls. After `forget` nothing is stored. @throws CopyFullError, and the storage's
   * error
   */
  write(part: string, bytes: Uint8Array, how: "append" | "replace"): Promise<void> {
    if (this.#forgotten) return Promise.resolve()
    const sealed = this.#copyKey().then((key) => seal(key, this.#context(part), bytes))
    const written = Promise.all([sealed, this.#last]).then(([record]) => this.#store[how](this.id, part, record))
    this.#last = written.catch(() => undefined)
    return written
  }

  /** Resolves when all earlier writes are over. */
  get settled(): Promise<unknown> {
    return this.#last
  }

  /** Once it resolves, earlier writes are deleted too. */
  async forget(): Promise<void> {
    this.#forgotten = true
    // A key that is being made would be stored behind the deletion.
    await Promise.allSettled([this.#last, this.#key])
    await this.#store.forget(this.id)
  }

  #copyKey(): Promise<CryptoKey> {
    this.#key ??= this.#store.key(this.id).catch((error: unknown) => {
      // The storage may be usable later.
      this.#key = null
      throw error
    })
    return this.#key
  }

  #context(part: string): Uint8Array {
    return domainSeparated("keymoot v1 local copy", utf8ToBytes(`${this.id}/${part}`))
  }
}
