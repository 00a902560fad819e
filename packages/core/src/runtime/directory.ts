import type { BootstrapCommand, BootstrapEvent, BootstrapReply, HostCommand } from "@keymoot/transport/host"
import { conferenceIdOf, descriptorHashOf } from "@keymoot/transport/signaling-protocol"
import { serverFailure, serverRefused } from "../rpc/server-failure.ts"
import { LruMap } from "../wire/index.ts"

/** Descriptors kept from a preview for the join that follows, and for how long. */
const DESCRIPTORS_KEPT_MAX = 4
const DESCRIPTOR_KEPT_MS = 5 * 60_000

type RequestCommand = Extract<BootstrapCommand, { type: "conference-create" | "conference-get" | "conference-end" }>

/** Unverified answer of a server. `end`: the announced one; null for none. */
export type FoundConference = { readonly descriptor: Uint8Array; readonly end: Uint8Array | null }

type ServerState = BootstrapEvent & { type: "bootstrap-state" }
type CreateCommand = Extract<BootstrapCommand, { type: "conference-create" }>
type NewConference = Pick<Required<CreateCommand>, "id" | "descriptor" | "expiresAtMs" | "verifier" | "creatorKey">

/** The engine's requests to bootstrap servers, and the state of its connections. Conferences share connections. */
export class Directory {
  readonly #post: (command: HostCommand) => void
  readonly #waiting = new Map<number, (reply: BootstrapReply) => void>()
  readonly #users = new Map<string, number>()
  readonly #states = new Map<string, ServerState>()
  /** Requested or kept descriptors by server and conference. At the bound the least recently used is fetched anew. */
  readonly #found = new LruMap<string, { readonly conference: Promise<FoundConference>; readonly askedMs: number }>(
    DESCRIPTORS_KEPT_MAX,
  )
  #requests = 0

  constructor(post: (command: HostCommand) => void) {
    this.#post = post
  }

  nextRequest(): number {
    return ++this.#requests
  }

  /** Connects unless a connection exists. Each call needs one `release`. */
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

  /** Reconnects now to a server that is down, instead of after the backoff. */
  retry(server: string): void {
    if (!this.#users.has(server) || this.state(server).state === "up") return
    this.#post({ type: "bootstrap-disconnect", server })
    this.#post({ type: "bootstrap-connect", server })
  }

  /** Keeps the connection to a server while the task runs. */
  async during<T>(server: string, task: () => Promise<T>): Promise<T> {
    this.use(server)
    try {
      return await task()
    } finally {
      this.release(server)
    }
  }

  /** Last connection state that the host reported. */
  state(server: string): ServerState {
    return this.#states.get(server) ?? { type: "bootstrap-state", server, state: "down" }
  }

  handle(event: BootstrapEvent): void {
    if (event.type === "bootstrap-state") this.#states.set(event.server, event)
    if (event.type !== "bootstrap-reply") return
    this.#waiting.get(event.request)?.(event.reply)
    this.#waiting.delete(event.request)
  }

  /** @throws KeymootError `server-unreachable`, `other-server-version`, `server-refused` */
  async create(server: string, conference: NewConference): Promise<void> {
    await this.#ask({ type: "conference-create", server, request: this.nextRequest(), ...conference })
  }

  /**
   * Announces the end of a conference. The connection stays until the answer, because the conference may be over before.
   * An end is lost while the server is away.
   */
  async announceEnd(server: string, id: string, end: Uint8Array): Promise<void> {
    // A later end may still reach the server.
    const ask = () => this.#ask({ type: "conference-end", server, request: this.nextRequest(), id, end })
    await this.during(server, ask).catch(() => undefined)
  }

  /**
   * Returns what the server sent, at most five minutes ago. It is untrusted, except that the descriptor's hash is the
   * conference's id if it is kept for the next call.
   * @param anew asks the server in any case, because the end may be new
   * @throws as `create`, or `unknown-conference`
   */
  async fetchConference(server: string, id: string, anew = false): Promise<FoundConference> {
    const key = `${server} ${id}`
    const kept = this.#found.get(key)
    if (!anew && kept && Date.now() - kept.askedMs < DESCRIPTOR_KEPT_MS) return kept.conference
    const conference = this.#requestConference(server, id)
    const asked = { conference, askedMs: Date.now() }
    this.#found.set(key, asked)
    const isGood = await conference.then(
      ({ descriptor }) => conferenceIdOf(descriptorHashOf(descriptor)) === id,
      () => false,
    )
    if (!isGood && this.#found.get(key) === asked) this.#found.delete(key)
    return conference
  }

  async #requestConference(server: string, id: string): Promise<FoundConference> {
    const request = this.nextRequest()
    const { descriptor, end = null } = await this.#ask({ type: "conference-get", server, request, id })
    if (!descriptor) throw serverRefused("it answered without a descriptor")
    return { descriptor, end }
  }

  async #ask(command: RequestCommand): Promise<BootstrapReply & { ok: true }> {
    const reply = await new Promise<BootstrapReply>((resolve) => {
      this.#waiting.set(command.request, resolve)
      this.#post(command)
    })
    if (reply.ok) return reply
    throw serverFailure(reply)
  }
}
