/** ICE configuration of a conference: its STUN and TURN servers, and whether direct paths are allowed. */
import type { HostPort } from "@keymoot/transport"
import type {
  ConnectionId,
  HostCommand,
  BootstrapEvent,
  IceGrant,
  IceServer,
  IceTransportPolicy,
} from "@keymoot/transport/host"

/** Delay before the next request after a refusal that may be temporary, such as a rate limit. */
const ASK_AGAIN_MS = 60_000

export type IceConfig = {
  readonly server: string
  /** Conference id in hex. */
  readonly room: string
  readonly transportPolicy: IceTransportPolicy
  readonly host: HostPort
}

/**
 * Filter between mesh and host that adds STUN and TURN servers to peer connections. It requests them after each entry
 * into the room, and again after half the lifetime of TURN credentials. Each peer connection that is opened later gets
 * them. A member that hides its address uses no STUN server: it would learn an address that it must not use.
 *
 * The server answers right after its reply to the entry. So the servers arrive before any peer can answer this member's
 * advertisement.
 */
export class Ice implements HostPort {
  readonly #config: IceConfig
  #asked: number | null = null
  #stun: readonly IceServer[] = []
  #turn: IceServer | null = null
  #askAtMs = Number.POSITIVE_INFINITY
  #endsAtMs = Number.POSITIVE_INFINITY
  #nowMs = 0

  constructor(config: IceConfig) {
    this.#config = config
  }

  nextConnection(): ConnectionId {
    return this.#config.host.nextConnection()
  }

  nextRequest(): number {
    return this.#config.host.nextRequest()
  }

  /** Passes a command from the mesh to the host. */
  post(command: HostCommand): void {
    const { host } = this.#config
    if (command.type === "peer-open") host.post({ ...command, ...this.configuration })
    else host.post(command)
    if (command.type === "room-enter") this.#ask()
    else if (command.type === "room-leave") this.#askAtMs = Number.POSITIVE_INFINITY
  }

  handle(event: BootstrapEvent): void {
    if (event.type !== "bootstrap-reply" || event.request !== this.#asked) return
    this.#asked = null
    const { reply } = event
    if (reply.ok && reply.ice !== undefined) this.#take(reply.ice)
    else this.#askAtMs = this.#nowMs + ASK_AGAIN_MS
  }

  tick(nowMs: number): void {
    this.#nowMs = nowMs
    if (nowMs >= this.#endsAtMs) this.#turn = null
    if (nowMs >= this.#askAtMs) this.#ask()
  }

  #ask(): void {
    const { server, room, host } = this.#config
    this.#askAtMs = Number.POSITIVE_INFINITY
    this.#asked = host.nextRequest()
    host.post({ type: "ice-servers", server, request: this.#asked, room })
  }

  /** Without TURN the servers do not expire: the server is asked again at the next entry into the room. */
  #take({ stun, turn }: IceGrant): void {
    this.#stun = stun.length === 0 ? [] : [{ urls: stun }]
    this.#turn = null
    if (turn === undefined) return
    const { urls, username, credential, lifetimeMs } = turn
    this.#turn = { urls, username, credential }
    this.#askAtMs = this.#nowMs + Math.max(lifetimeMs / 2, ASK_AGAIN_MS)
    this.#endsAtMs = this.#nowMs + lifetimeMs
  }

  /** Configuration of a peer connection that is opened now. */
  get configuration(): { readonly iceServers: readonly IceServer[]; readonly transportPolicy: IceTransportPolicy } {
    const { transportPolicy } = this.#config
    const stun = transportPolicy === "relay" ? [] : this.#stun
    return { iceServers: [...stun, ...(this.#turn === null ? [] : [this.#turn])], transportPolicy }
  }
}
