/** How peer connections of one conference find their way: through which servers, and whether directly at all. */
import type { HostCommand, HostEvent, IceServer, IceTransportPolicy, TurnCredentials } from "@keymoot/transport/host"

/** A refusal that may pass, such as of too many at once, is met with another question after this long. */
const ASK_AGAIN_MS = 60_000

export type IceConfig = {
  readonly server: string
  /** The conference id in hex. */
  readonly room: string
  readonly transportPolicy: IceTransportPolicy
  readonly nextRequest: () => number
  readonly post: (command: HostCommand) => void
}

/**
 * Stands between the mesh and the host. Behind each entry into the room it asks the server for TURN credentials, and
 * again when half their life is over; it gives them to every peer connection that is opened from then on. The answer
 * follows that to the entry at once, so it is here before anybody can have answered our advertisement.
 */
export class Ice {
  readonly #config: IceConfig
  #asked: number | null = null
  #turn: IceServer | null = null
  #askAtMs = Number.POSITIVE_INFINITY
  #endsAtMs = Number.POSITIVE_INFINITY
  #nowMs = 0

  constructor(config: IceConfig) {
    this.#config = config
  }

  /** On its way from the mesh to the host. */
  pass(command: HostCommand): void {
    if (command.type === "peer-open") this.#config.post(this.#configured(command))
    else this.#config.post(command)
    if (command.type === "room-enter") this.#ask()
    else if (command.type === "room-leave") this.#askAtMs = Number.POSITIVE_INFINITY
  }

  handle(event: HostEvent): void {
    if (event.type !== "bootstrap-reply" || event.request !== this.#asked) return
    this.#asked = null
    const { reply } = event
    if (reply.ok && reply.turn !== undefined) this.#take(reply.turn)
    // The server has none; the next entry may find it otherwise.
    else if (!reply.ok && reply.code === "turn-unavailable") this.#turn = null
    else this.#askAtMs = this.#nowMs + ASK_AGAIN_MS
  }

  tick(nowMs: number): void {
    this.#nowMs = nowMs
    if (nowMs >= this.#endsAtMs) this.#turn = null
    if (nowMs >= this.#askAtMs) this.#ask()
  }

  #ask(): void {
    const { server, room, nextRequest, post } = this.#config
    this.#askAtMs = Number.POSITIVE_INFINITY
    this.#asked = nextRequest()
    post({ type: "turn-credentials", server, request: this.#asked, room })
  }

  #take({ urls, username, credential, lifetimeMs }: TurnCredentials): void {
    this.#turn = { urls, username, credential }
    this.#askAtMs = this.#nowMs + Math.max(lifetimeMs / 2, ASK_AGAIN_MS)
    this.#endsAtMs = this.#nowMs + lifetimeMs
  }

  #configured(command: HostCommand & { type: "peer-open" }): HostCommand {
    const iceServers = this.#turn === null ? command.iceServers : [...command.iceServers, this.#turn]
    return { ...command, iceServers, transportPolicy: this.#config.transportPolicy }
  }
}
