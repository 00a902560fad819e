import type { LinkNumber, PeerEvent } from "../host/port.ts"
import type { MemberId } from "../ids.ts"
import type { MeshConfig, MeshOutput } from "./config.ts"
import { Connection, type ConnectionInput, type ConnectionOutput } from "./connection.ts"
import type { Contact, DiscoveryInput } from "./discovery.ts"
import type { Lanes } from "./lanes.ts"
import type { Scope } from "./scope.ts"
import type { Signal } from "./signal.ts"
import type { Role } from "./transcript.ts"

export type ConnectionsConfig = {
  readonly mesh: MeshConfig
  readonly scope: Scope
  readonly lanes: Lanes
  nowMs(): number
  onSignal(to: MemberId, signal: Signal): void
  onChange(change: DiscoveryInput & { readonly type: "connection" }): void
  onDropped(reason: string): void
  emit(output: MeshOutput): void
}

/** At most one connection per member; carries out what they ask for, and makes links of those that are up. */
export class Connections {
  readonly #config: ConnectionsConfig
  readonly #connections = new Map<MemberId, Connection>()
  readonly #memberOfLink = new Map<LinkNumber, MemberId>()
  readonly #unflushed = new Set<Connection>()

  constructor(config: ConnectionsConfig) {
    this.#config = config
  }

  get(member: MemberId): Connection | undefined {
    return this.#connections.get(member)
  }

  tick(): void {
    for (const [member, connection] of this.#connections) this.#step(member, connection, { type: "tick" })
  }

  /** A signal of the member's present attempt, authenticated. */
  handleSignal(member: MemberId, signal: Signal & { readonly kind: "description" | "candidate" }): void {
    const connection = this.#connections.get(member)
    if (connection) this.#step(member, connection, { type: "signal", signal })
  }

  /** Goes out with everything else of this turn. */
  queue(to: MemberId, bytes: Uint8Array): void {
    const connection = this.#connections.get(to)
    if (!connection?.up) return
    connection.queue(bytes)
    if (this.#unflushed.size === 0) void Promise.resolve().then(() => this.#flush())
    this.#unflushed.add(connection)
  }

  /** Sends what is queued and closes every connection; reports nothing. */
  close(): void {
    for (const connection of this.#connections.values()) {
      for (const output of connection.step({ type: "close", reason: "closed" }, this.#config.nowMs())) {
        if (output.type === "post") this.#config.mesh.post(output.command)
      }
    }
    this.#connections.clear()
    this.#memberOfLink.clear()
    this.#unflushed.clear()
  }

  /** Begins an attempt as offerer (initiator) or answerer. The member has no connection. */
  open(contact: Readonly<Contact>, role: Role, attempt: number): void {
    const { mesh, scope, nowMs, onChange } = this.#config
    const { nextLink, keys, signer, incarnation, iceServers, random } = mesh
    const { member } = contact.credential
    const link = nextLink()
    const connection = new Connection(
      {
        link,
        scope,
        associationKey: keys.association,
        role,
        attempt,
        own: { certificate: signer.certificate, incarnation },
        peer: contact.credential,
        peerIncarnation: contact.card.incarnation,
        iceServers,
        random,
      },
      nowMs(),
    )
    this.#connections.set(member, connection)
    this.#memberOfLink.set(link, member)
    onChange({ type: "connection", member, state: "half-open", incarnation: contact.card.incarnation, attempt })
    this.#act(member, connection, connection.start())
  }

  /** Ends a connection that gives way to another: no failure, so no back-off. */
  replace(member: MemberId, reason: string): void {
    const connection = this.#connections.get(member)
    if (connection === undefined) return
    const wasUp = connection.up
    const outputs = connection.step({ type: "close", reason }, this.#config.nowMs())
    this.#forget(member, connection)
    for (const output of outputs) if (output.type === "post") this.#config.mesh.post(output.command)
    if (wasUp) this.#config.emit({ type: "linkDown", peer: member, reason })
  }

  #forget(member: MemberId, connection: Connection): void {
    if (this.#connections.get(member) === connection) this.#connections.delete(member)
    this.#memberOfLink.delete(connection.config.link)
    this.#unflushed.delete(connection)
  }

  handlePeer(event: PeerEvent): void {
    const member = this.#memberOfLink.get(event.link)
    const connection = member && this.#connections.get(member)
    if (member && connection) this.#step(member, connection, { type: "peer", event })
  }

  #step(member: MemberId, connection: Connection, input: ConnectionInput): void {
    const wasUp = connection.up
    this.#act(member, connection, connection.step(input, this.#config.nowMs()), wasUp)
  }

  #act(member: MemberId, connection: Connection, outputs: readonly ConnectionOutput[], wasUp = false): void {
    let up = wasUp
    for (const output of outputs) {
      switch (output.type) {
        case "post":
          this.#config.mesh.post(output.command)
          break
        case "signal":
          this.#config.onSignal(member, output.signal)
          break
        case "dropped":
          this.#config.onDropped(`signal: ${output.reason}`)
          break
        case "sign":
          this.#sign(member, connection, output.bytes)
          break
        case "verify":
          this.#verify(member, connection, output.bytes, output.signature)
          break
        case "up":
          up = true
          this.#handleUp(member, connection)
          break
        case "message":
          this.#config.emit({ type: "frame", peer: member, bytes: output.bytes })
          break
        case "ended":
          this.#handleEnded(member, connection, output, up)
          break
      }
    }
  }

  #sign(member: MemberId, connection: Connection, bytes: Uint8Array): void {
    this.#run(`sign ${connection.config.link}`, async () => {
      const signature = await this.#config.mesh.signer.sign(bytes)
      this.#step(member, connection, { type: "signed", signature })
    })
  }

  #verify(member: MemberId, connection: Connection, bytes: Uint8Array, signature: Uint8Array): void {
    this.#run(`verify ${connection.config.link}`, async () => {
      const ok = await this.#config.mesh.credentials.verify(connection.config.peer.publicKey, bytes, signature)
      this.#step(member, connection, { type: "verified", ok })
    })
  }

  #handleUp(member: MemberId, connection: Connection): void {
    const { peerIncarnation: incarnation, peer: credential, attempt } = connection.config
    this.#config.onChange({ type: "connection", member, state: "up", incarnation, attempt })
    this.#config.emit({ type: "linkUp", peer: member, incarnation, credential })
  }

  #handleEnded(
    member: MemberId,
    connection: Connection,
    ended: ConnectionOutput & { type: "ended" },
    wasUp: boolean,
  ): void {
    this.#forget(member, connection)
    this.#config.onChange({ type: "connection", member, state: "gone" })
    if (ended.security !== null) this.#config.emit({ type: "security", member, ...ended.security })
    if (wasUp) this.#config.emit({ type: "linkDown", peer: member, reason: ended.reason })
  }

  #flush(): void {
    for (const connection of this.#unflushed) {
      const member = this.#memberOfLink.get(connection.config.link)
      if (member !== undefined) this.#step(member, connection, { type: "flush" })
    }
    this.#unflushed.clear()
  }

  #run(lane: string, task: () => Promise<void>): void {
    if (!this.#config.lanes.run(lane, task)) this.#config.onDropped("too much at once")
  }
}
