import {
  KeymootError,
  type ConferenceFiles,
  type FileOptions,
  type FileProgress,
  type OfferOptions,
  type SharedFile,
} from "../api.ts"
import type { ConferenceEvent } from "../engine/protocol.ts"
import { blockCount } from "../files/layout.ts"
import { parseTicket, type Ticket } from "../files/ticket.ts"
import { callSafely } from "./emitter.ts"
import type { EngineConnection } from "./engine-connection.ts"

/** Blocks (about 1 MB each) that are put into one part of a blob: browsers move parts to the disk when they are many. */
const BLOB_BLOCKS = 4

type Watcher = (progress: FileProgress) => void

/** The files of one conference, at the application's end. */
export class Files implements ConferenceFiles {
  readonly #conference: string
  readonly #connection: EngineConnection
  readonly #watchers = new Map<string, Set<(event: ConferenceEvent & { type: "file" }) => void>>()
  #offers = 0

  constructor(conference: string, connection: EngineConnection) {
    this.#conference = conference
    this.#connection = connection
  }

  async offer(content: Blob, { name, type = content.type, signal, onProgress }: OfferOptions): Promise<SharedFile> {
    const watch = `offer ${++this.#offers}`
    const params = { id: this.#conference, content, name, type, watch }
    const ticket = await this.#watched(watch, content.size, onProgress, () =>
      this.#connection.call("file.offer", params, signal),
    )
    return this.open(ticket)
  }

  open(text: string): SharedFile {
    const ticket = parseTicket(text)
    const { file: id, name, type, sizeBytes, owner } = ticket
    const params = { id: this.#conference, ticket: text }
    return {
      id,
      ticket: text,
      name,
      type,
      sizeBytes,
      owner,
      keptBytes: () => this.#connection.call("file.kept", params),
      fetch: async ({ signal, onProgress }: FileOptions = {}) => {
        await this.#watched(id, sizeBytes, onProgress, () => this.#connection.call("file.fetch", params, signal))
      },
      stream: () => this.#stream(text, ticket),
      blob: () => this.#blob(text, ticket),
      remove: async () => {
        await this.#connection.call("file.remove", params)
      },
    }
  }

  onProgress(event: ConferenceEvent & { type: "file" }): void {
    for (const watcher of this.#watchers.get(event.watch) ?? []) callSafely(() => watcher(event))
  }

  async #watched<T>(
    watch: string,
    sizeBytes: number,
    watcher: Watcher | undefined,
    call: () => Promise<T>,
  ): Promise<T> {
    if (!watcher) return call()
    const watchers = this.#watchers.get(watch) ?? new Set()
    this.#watchers.set(watch, watchers)
    const tell = ({ progress }: ConferenceEvent & { type: "file" }): void => watcher({ ...progress, sizeBytes })
    watchers.add(tell)
    try {
      return await call()
    } finally {
      watchers.delete(tell)
      if (watchers.size === 0) this.#watchers.delete(watch)
    }
  }

  #read(ticket: string, block: number): Promise<Uint8Array<ArrayBuffer>> {
    const params = { id: this.#conference, ticket, block }
    return this.#connection.call("file.read", params) as Promise<Uint8Array<ArrayBuffer>>
  }

  #stream(text: string, { sizeBytes }: Ticket): ReadableStream<Uint8Array<ArrayBuffer>> {
    let block = 0
    return new ReadableStream(
      {
        pull: async (controller) => {
          controller.enqueue(await this.#read(text, block++))
          if (block === blockCount(sizeBytes)) controller.close()
        },
      },
      { highWaterMark: 1 },
    )
  }

  async #blob(text: string, { sizeBytes, type }: Ticket): Promise<Blob> {
    const parts: Blob[] = []
    for (let first = 0; first < blockCount(sizeBytes); first += BLOB_BLOCKS) {
      const blocks: Uint8Array<ArrayBuffer>[] = []
      for (let i = first; i < Math.min(first + BLOB_BLOCKS, blockCount(sizeBytes)); i++) {
        blocks.push(await this.#read(text, i))
      }
      parts.push(new Blob(blocks))
    }
    const whole = new Blob(parts, { type })
    if (whole.size === sizeBytes) return whole
    throw new KeymootError("file-unavailable", "The file is not all here. Fetch it first.")
  }
}
