import type { MemberId } from "@keymoot/transport"
import {
  KeymootError,
  type ConferenceFiles,
  type FileOptions,
  type FileProgress,
  type OfferOptions,
  type SharedFile,
} from "../api/index.ts"
import type { ConferenceEvent } from "../rpc/protocol.ts"
import { blockCount } from "../files/layout.ts"
import { type OwnedTicket, parseTicket, type Ticket } from "../files/ticket.ts"
import { callSafely } from "./connection/emitter.ts"
import type { EngineConnection } from "./connection/engine-connection.ts"
import { assertArguments, METHODS } from "./options.ts"

/** Blocks (about 1 MB each) per part of a blob. Browsers move parts to the disk when there are many. */
const BLOB_BLOCKS = 4

type Watcher = (progress: FileProgress) => void

/** Files of one conference, for the application. */
export class Files implements ConferenceFiles {
  readonly #conference: string
  readonly #connection: EngineConnection
  readonly #watchers = new Map<string, Set<(event: ConferenceEvent & { type: "file" }) => void>>()
  readonly #self: MemberId
  #offers = 0

  constructor(conference: string, connection: EngineConnection, self: MemberId) {
    this.#conference = conference
    this.#self = self
    this.#connection = connection
  }

  async offer(content: Blob, options: OfferOptions): Promise<SharedFile> {
    assertArguments(METHODS.offered, { content })
    // Options may be the file itself.
    const { name, type, signal, onProgress } = assertArguments(METHODS.offer, options)
    const watch = `offer ${++this.#offers}`
    const params = { id: this.#conference, content, name, type: type ?? content.type, watch }
    const ticket = await this.#watched(watch, content.size, onProgress, () =>
      this.#connection.call("file.offer", params, signal),
    )
    return this.open(ticket, this.#self)
  }

  open(text: string, owner: MemberId): SharedFile {
    const ticket = parseTicket(text, { conferenceId: this.#conference, owner })
    const { file: id, name, type, sizeBytes } = ticket
    const params = { id: this.#conference, ticket: text, owner }
    return {
      id,
      ticket: text,
      name,
      type,
      sizeBytes,
      owner,
      keptBytes: () => this.#connection.call("file.kept", params),
      fetch: async (options: FileOptions = {}) => {
        const { signal, onProgress } = assertArguments(METHODS.transfer, options)
        await this.#watched(id, sizeBytes, onProgress, () => this.#connection.call("file.fetch", params, signal))
      },
      stream: () => this.#stream(params, ticket),
      blob: () => this.#blob(params, ticket),
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

  #read({ ticket, owner }: OwnedTicket, block: number): Promise<Uint8Array<ArrayBuffer>> {
    const params = { id: this.#conference, ticket, owner, block }
    return this.#connection.call("file.read", params) as Promise<Uint8Array<ArrayBuffer>>
  }

  #stream(of: OwnedTicket, { sizeBytes }: Ticket): ReadableStream<Uint8Array<ArrayBuffer>> {
    let block = 0
    return new ReadableStream(
      {
        pull: async (controller) => {
          controller.enqueue(await this.#read(of, block++))
          if (block === blockCount(sizeBytes)) controller.close()
        },
      },
      { highWaterMark: 1 },
    )
  }

  async #blob(of: OwnedTicket, { sizeBytes, type }: Ticket): Promise<Blob> {
    const parts: Blob[] = []
    for (let first = 0; first < blockCount(sizeBytes); first += BLOB_BLOCKS) {
      const blocks: Uint8Array<ArrayBuffer>[] = []
      for (let i = first; i < Math.min(first + BLOB_BLOCKS, blockCount(sizeBytes)); i++) {
        blocks.push(await this.#read(of, i))
      }
      parts.push(new Blob(blocks))
    }
    const whole = new Blob(parts, { type })
    if (whole.size === sizeBytes) return whole
    throw new KeymootError("file-unavailable", "The file has not been downloaded completely. Fetch it first.")
  }
}
