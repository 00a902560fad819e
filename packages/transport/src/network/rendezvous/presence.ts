import { bytesToHex } from "@noble/hashes/utils.js"
import type { BootstrapEvent, HostCommand, RoomAddress } from "../../port/port.ts"
import type { MemberId } from "../../members/ids.ts"
import { proveRoom } from "../../room/room-key-pair.ts"
import { sealAdvertisement, signedByCard, type RoomCard } from "../messages/room-card.ts"
import type { MeshBase } from "../base/mesh-base.ts"
import { Envelopes } from "../messages/envelope.ts"
import type { InvitationKeys } from "../shared/keyring.ts"
import { PROTOCOL } from "../shared/protocol.ts"
import { Room, type Missing, type RoomInput } from "./room.ts"
import { encodeSignal, type Signal } from "../messages/signal.ts"

/** One stay in the room. Its random values are never reused in another. */
export type RoomEntry = { readonly card: RoomCard; readonly address: RoomAddress; readonly envelopes: Envelopes }

/** `keys`: of an invitation that the member holds. */
export type Recipient = { readonly card: RoomCard; readonly keys: InvitationKeys }

/** Our presence in the room: enters, advertises, and sends signals under the present entry. */
export class Presence {
  readonly #base: MeshBase
  readonly #room: Room
  #entry: RoomEntry | null = null
  /** The id that the server gave the present connection. */
  #connection: string | undefined
  #advertisementSignature: Uint8Array | null = null
  #entering: { readonly request: number; readonly entry: number } | null = null

  constructor(base: MeshBase) {
    this.#base = base
    this.#room = new Room(base.mesh.random)
  }

  get entry(): RoomEntry | null {
    return this.#entry
  }

  handle(event: BootstrapEvent & { type: "bootstrap-state" | "bootstrap-reply" }, nowMs: number): void {
    if (event.type === "bootstrap-state") {
      // The server has dropped our entry with the connection: there is nothing to leave.
      if (event.state === "down") this.#becomeAbsent()
      this.#connection = event.connection
      this.#step({ type: "server", state: event.state }, nowMs)
    } else if (this.#entering?.request === event.request) {
      this.#step({ type: "entered", entry: this.#entering.entry, ok: event.reply.ok }, nowMs)
    }
  }

  /** See `Mesh.nextTickMs`. */
  nextTickMs(missing: Missing): number {
    return this.#room.nextTickMs(missing)
  }

  tick(missing: Missing, nowMs: number): void {
    this.#step({ type: "tick", missing }, nowMs)
  }

  leave(): void {
    if (this.#entry === null) return
    const { address } = this.#entry
    this.#becomeAbsent()
    this.#post({ type: "room-leave", server: this.#base.mesh.server, room: this.#base.room, address })
  }

  /**
   * Sends to `to` in the order of calls. `contactOf` is called when the signal's turn comes, since the member may have
   * entered anew by then.
   */
  signal(to: MemberId, contactOf: (member: MemberId) => Recipient | undefined, signal: Signal): void {
    const entry = this.#entry
    if (entry === null) return this.#base.faults.drop("signal: not in the room")
    const { mesh, room } = this.#base
    this.#base.lanes.run(`to ${to}`, async () => {
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
    const before = this.#entry
    for (const output of this.#room.step(input, nowMs)) {
      if (output.type === "enter") this.#enter(output.entry, output.address)
      else this.announce()
    }
    // After the advertisement: others know the sender of a signal by its card.
    if (this.#entry !== null && this.#entry !== before) this.#base.sink.take({ type: "entered" })
  }

  #enter(number: number, addressBytes: Uint8Array): void {
    this.leave()
    const { mesh, scope, keyring, room } = this.#base
    const envelopes = new Envelopes({
      scope,
      keyring,
      self: mesh.signer.member,
      ephemeralSecret: mesh.random.bytes(32),
      nonce: mesh.random.bytes(16),
      x25519: mesh.x25519,
    })
    const { ephemeral, nonce } = envelopes
    const { certificate } = mesh.signer
    const card: RoomCard = {
      protocol: mesh.protocol ?? PROTOCOL,
      certificate,
      incarnation: mesh.incarnation,
      entry: number,
      address: addressBytes,
      ephemeral,
      nonce,
      extension: new Uint8Array(0),
    }
    const address = bytesToHex(addressBytes) as RoomAddress
    this.#entry = { card, address, envelopes }
    this.#advertisementSignature = null
    this.#entering = { request: mesh.host.nextRequest(), entry: number }
    const { request } = this.#entering
    this.#post({ type: "room-enter", server: mesh.server, request, room, address, ...this.#proofFor(address) })
  }

  /** Empty without a secret, and at a server that gives connections no id. */
  #proofFor(address: RoomAddress): { readonly proof?: Uint8Array } {
    const { mesh, room } = this.#base
    if (mesh.roomSecret === undefined || this.#connection === undefined) return {}
    return { proof: proveRoom(mesh.roomSecret, room, address, this.#connection, mesh.roomSigner) }
  }

  /** Advertises at once. */
  announce(): void {
    const entry = this.#entry
    if (entry === null) return
    const { mesh, scope, keyring, room } = this.#base
    this.#base.lanes.run("own advertisement", async () => {
      const signature = this.#advertisementSignature ?? (await mesh.signer.sign(signedByCard(scope, entry.card)))
      if (this.#entry !== entry) return
      this.#advertisementSignature = signature
      const advertisement = sealAdvertisement(
        keyring.current.advertisement,
        scope,
        entry.card,
        signature,
        mesh.random.bytes(24),
      )
      this.#post({ type: "room-advertise", server: mesh.server, room, advertisement })
    })
  }

  #post(command: HostCommand): void {
    this.#base.mesh.host.post(command)
  }
}
