import type { BootstrapCommand, BootstrapReply, HostCommand, HostEvent } from "@keymoot/transport/host"
import { KeymootError } from "../api.ts"

type RequestCommand = Extract<
  BootstrapCommand,
  { request: number; descriptor: Uint8Array } | { type: "conference-get" }
>

/** The engine's requests to bootstrap servers, and which of these are connected. Servers are shared by conferences. */
export class Directory {
  readonly #post: (command: HostCommand) => void
  readonly #waiting = new Map<number, (reply: BootstrapReply) => void>()
  readonly #users = new Map<string, number>()
  readonly #states = new Map<string, "up" | "down">()
  #requests = 0

  constructor(post: (command: HostCommand) => void) {
    this.#post = post
  }

  nextRequest(): number {
    return ++this.#requests
  }

  /** Connects if nobody else did. Each call wants one `release`. */
  use(server: string): void {
    const users = this.#users.get(server) ?? 0
    this.#users.set(server, users + 1)
    if (users === 0) this.#post({ type: "bootstrap-connect", server })
  }

  release(server: string): void {
    const users = (this.#users.get(server) ?? 0) - 1
    this.#users.set(server, users)
    if (users > 0) return
    this.#users.delete(server)
    this.#states.delete(server)
    this.#post({ type: "bootstrap-disconnect", server })
  }

  /** Makes a new connection to a server that is away, instead of waiting for the next attempt. */
  retry(server: string): void {
    if (!this.#users.has(server) || this.state(server) === "up") return
    this.#post({ type: "bootstrap-disconnect", server })
    this.#post({ type: "bootstrap-connect", server })
  }

  state(server: string): "up" | "down" {
    return this.#states.get(server) ?? "down"
  }

  handle(event: HostEvent): void {
    if (event.type === "bootstrap-state") this.#states.set(event.server, event.state)
    if (event.type !== "bootstrap-reply") return
    this.#waiting.get(event.request)?.(event.reply)
    this.#waiting.delete(event.request)
  }

  /** @throws KeymootError `server-unreachable`, `server-refused` */
  async create(server: string, id: string, descriptor: Uint8Array, expiresAtMs: number): Promise<void> {
    const request = this.nextRequest()
    await this.#ask({ type: "conference-create", server, request, id, descriptor, expiresAtMs })
  }

  /** What the server gives as the descriptor; nothing about it is to be believed. @throws as above, or `unknown-conference` */
  async fetchDescriptor(server: string, id: string): Promise<Uint8Array> {
    const reply = await this.#ask({ type: "conference-get", server, request: this.nextRequest(), id })
    if (!reply.descriptor) throw refused("it answered without a descriptor")
    return reply.descriptor
  }

  async #ask(command: RequestCommand): Promise<BootstrapReply & { ok: true }> {
    const reply = await new Promise<BootstrapReply>((resolve) => {
      this.#waiting.set(command.request, resolve)
      this.#post(command)
    })
    if (reply.ok) return reply
    if (reply.code === "server-unreachable") {
      const message = "The server cannot be reached. Check your connection and the server's address, then try again."
      throw new KeymootError("server-unreachable", message)
    }
    if (reply.code === "unknown-conference") {
      const message = "The server knows no such conference. It may be over, or the link may lead to another server."
      throw new KeymootError("unknown-conference", message)
    }
    throw refused(reply.message)
  }
}

function refused(why: string): KeymootError {
  return new KeymootError("server-refused", `The server refused: ${why}. Try again later.`)
}
