/** Requests to a directory server. Its answers are parsed, and not otherwise checked. */
import { type BootstrapConnection, connectBootstrap, type Refusal } from "@keymoot/transport/host"
import type { Reply, Request, RequestName } from "@keymoot/transport/signaling-protocol"
import { KeymootError } from "../../api/index.ts"
import { LruMap } from "../../wire/index.ts"
import { directoryFailure } from "./directory-failure.ts"

/** Cached certificates by fingerprint (LRU): a page of results is looked at more than once. */
const CERTIFICATES_CACHED_MAX = 256

export class DirectoryServer {
  readonly origin: string
  readonly #connection: BootstrapConnection
  #isClosed = false
  #certificates = new LruMap<string, Uint8Array>(CERTIFICATES_CACHED_MAX)

  /** @throws KeymootError `invalid-argument` */
  constructor(server: string) {
    const url = URL.canParse(server) ? new URL(server) : null
    if (url === null || !/^https?:$/u.test(url.protocol)) {
      throw new KeymootError("invalid-argument", "Give the server's address, such as https://meet.example.")
    }
    this.origin = url.origin
    this.#connection = connectBootstrap(url.origin, { take: () => undefined })
  }

  /** @throws KeymootError as `DirectoryHandle` */
  async ask<N extends RequestName>(name: N, request: Request<N>): Promise<Extract<Reply<N>, { readonly ok: true }>> {
    const reply = await this.#reply(name, request)
    if (!reply.ok) throw directoryFailure(reply)
    return reply as Extract<Reply<N>, { readonly ok: true }>
  }

  /** Returns null if the server has none. */
  async certificateOf(fingerprint: string): Promise<Uint8Array | null> {
    const cached = this.#certificates.get(fingerprint)
    if (cached) return cached
    const reply = await this.#reply("participant:get", { fingerprint })
    if (!reply.ok) return nothing(reply, "unknown-participant")
    this.#certificates.set(fingerprint, reply.certificate)
    return reply.certificate
  }

  /** Returns null if the server has none. */
  async descriptorOf(id: string): Promise<Uint8Array | null> {
    const reply = await this.#reply("conference:get", { id })
    return reply.ok ? reply.descriptor : nothing(reply, "unknown-conference")
  }

  /** Drops cached certificates, so that later answers come from the server. */
  forgetCertificates(): void {
    this.#certificates = new LruMap(CERTIFICATES_CACHED_MAX)
  }

  close(): void {
    this.#isClosed = true
    this.#connection.close()
  }

  async #reply<N extends RequestName>(name: N, request: Request<N>): Promise<Reply<N> | Refusal> {
    if (this.#isClosed) throw closed()
    const reply = await new Promise<Reply<N> | Refusal>((resolve) => this.#connection.ask(name, request, resolve))
    // Closing fails pending requests as if the server were silent.
    if (this.#isClosed) throw closed()
    return reply
  }
}

function closed(): KeymootError {
  return new KeymootError("closed", "This directory was closed. Open it again.")
}

/** @throws KeymootError unless the refusal says that there is no such entry, or the answer is nonsense */
function nothing(refusal: { readonly code: string; readonly message: string }, absent: string): null {
  if (refusal.code === absent || refusal.code === "bad-reply") return null
  throw directoryFailure(refusal)
}
