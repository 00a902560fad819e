import { bytesToHex } from "@noble/hashes/utils.js"
import type { BootstrapEvent, HostCommand, RoomAddress } from "../host/port.ts"
import type { MemberId } from "../ids.ts"
import { sealAdvertisement, signedByCard, type Card } from "./card.ts"
import type { MeshConfig } from "./config.ts"
import { Envelopes } from "./envelope.ts"
import type { InvitationKeys, Keyring } from "./keyring.ts"
import type { Lanes } from "./lanes.ts"
import { Room, type RoomInput } from "./room.ts"
import type { Scope } from "./scope.ts"
import { encodeSignal, type Signal } from "./signal.ts"

/** One stay in the room: what is random in it is never used in another. */
export type RoomEntry = { readonly card: Card; readonly address: RoomAddress; readonly envelopes: Envelopes }

/** `keys`: of an invitation that the member holds. */
export type Recipient = { readonly card: Card; readonly keys: InvitationKeys }

export type PresenceConfig = {
  readonly mesh: MeshConfig
  readonly scope: Scope
  readonly keyring: Keyring
  /** The conference id in hex. */
  readonly room: string
  readonly lanes: Lanes
  onEntry(): void
  onDropped(reason: string): void
}

/** Our own side of the room: entering, advertising, and sending signals under the present entry. */
export class Presence {
  readonly #config: PresenceConfig
  readonly #room: Room
  #entry: RoomEntry | null = null
  #advertisementSignature: Uint8Array | null = null
  #entering: { readonly request: number; readonly entry: number } | null = null

  constructor(config: PresenceConfig) {
    this.#config = config
    this.#room = new Room(config.mesh.random)
  }

  get entry(): RoomEntry | null {
    return this.#entry
  }

  handle(event: BootstrapEvent & { type: "bootstrap-state" | "bootstrap-reply" }, nowMs: number): void {
    if (event.type === "bootstrap-state") {
      // The server has forgotten us with the connection: there is nothing to leave.
      if (event.state === "down") this.#becomeAbsent()
      this.#step({ type: "server", state: event.state }, nowMs)
    } else if (this.#entering?.request === event.request) {
      this.#step({ type: "entered", entry: this.#entering.entry, ok: event.reply.ok }, nowMs)
    }
  }

  tick(missing: boolean, nowMs: number): void {
    this.#step({ type: "tick", missing }, nowMs)
  }

  leave(): void {
    if (this.#entry === null) return
    const { address } = this.#entry
    this.#becomeAbsent()
    this.#post({ type: "room-leave", server: this.#config.mesh.server, room: this.#config.room, address })
  }

  /** Says again who is here, before its time. */
  announce(): void {
    this.#advertise()
  }

  /** To `to` in the order of calls. `contactOf` is asked when the turn comes: the member may have entered anew by then. */
  signal(to: MemberId, contactOf: (member: MemberId) => Recipient | undefined, signal: Signal): void {
    const entry = this.#entry
    if (entry === null) return this.#config.onDropped("signal: not in the room")
    const { mesh, room } = this.#config
    this.#run(`to ${to}`, async () => {
      if (this.#entry !== entry) return
      const recipient = contactOf(to)
      const draft = recipient && entry.envelopes.draft(to, recipient.card, recipient.keys, encodeSignal(signal))
      if (!recipient || !draft) return
      const signature = await mesh.signer.sign(draft.signed)
      if (this.#entry !== entry) return
      const address = bytesToHex(recipient.card.address) as RoomAddress
      this.#post({ type: "room-signal", server: mesh.server, room, to: address, envelope: draft.seal(signature) })
    })
  }

  #becomeAbsent(): void {
    this.#entry?.envelopes.forget()
    this.#entry = null
  }

  #step(input: RoomInput, nowMs: number): void {
    for (const output of this.#room.step(input, nowMs)) {
      if (output.type === "enter") this.#enter(output.entry, output.address)
      else this.#advertise()
    }
  }

  #enter(number: number, addressBytes: Uint8Array): void {
    this.leave()
    const { mesh, scope, keyring, room } = this.#config
    const envelopes = new Envelopes({
      scope,
      keyring,
      self: mesh.signer.member,
      ephemeralSecret: mesh.random(32),
      nonce: mesh.random(16),
    })
    const { ephemeral, nonce } = envelopes
    const { certificate } = mesh.signer
    const card: Card = {
      certificate,
      incarnation: mesh.incarnation,
      entry: number,
      address: addressBytes,
      ephemeral,
      nonce,
    }
    const address = bytesToHex(addressBytes) as RoomAddress
    this.#entry = { card, address, envelopes }
    this.#advertisementSignature = null
    this.#entering = { request: mesh.nextRequest(), entry: number }
    this.#config.onEntry()
    this.#post({ type: "room-enter", server: mesh.server, request: this.#entering.request, room, address })
  }

  #advertise(): void {
    const entry = this.#entry
    if (entry === null) return
    const { mesh, scope, keyring, room } = this.#config
    this.#run("own advertisement", async () => {
      const signature = this.#advertisementSignature ?? (await mesh.signer.sign(signedByCard(scope, entry.card)))
      if (this.#entry !== entry) return
      this.#advertisementSignature = signature
      const advertisement = sealAdvertisement(
        keyring.current.advertisement,
        scope,
        entry.card,
        signature,
        mesh.random(24),
      )
      this.#post({ type: "room-advertise", server: mesh.server, room, advertisement })
    })
  }

  #run(lane: string, task: () => Promise<void>): void {
    if (!this.#config.lanes.run(lane, task)) this.#config.onDropped("too much at once")
  }

  #post(command: HostCommand): void {
    this.#config.mesh.post(command)
  }
}
