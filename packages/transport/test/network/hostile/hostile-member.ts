import { ed25519 } from "@noble/curves/ed25519.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import type { ConnectionId, Host, HostEvent, PeerSignal, RoomAddress } from "../../../src/port/port.ts"
import { Association } from "../../../src/network/association/association.ts"
import { Keyring } from "../../../src/network/shared/keyring.ts"
import { sealAdvertisement, signedByCard, type RoomCard } from "../../../src/network/messages/room-card.ts"
import { Envelopes } from "../../../src/network/messages/envelope.ts"
import { encodeControl, type Control } from "../../../src/network/messages/control.ts"
import type { HopSealer } from "../../../src/network/association/hop.ts"
import { packParcels } from "../../../src/network/association/channel.ts"
import { sdpFingerprint } from "../../../src/network/path/sdp.ts"
import { decodeSignal, encodeSignal, type Signal } from "../../../src/network/messages/signal.ts"
import { PROTOCOL } from "../../../src/network/shared/protocol.ts"
import type { TestConference } from "../conference.ts"
import { conferenceId, descriptorHash, invitation, SERVER, type TestIdentity, type TestMember } from "../member.ts"

const scope = { conferenceId, descriptorHash }
const room = bytesToHex(conferenceId)

/**
 * Somebody with the invitation, and an identity of its own, that does every step by hand and can deviate at each.
 * It is the offerer towards its victim, so its id must be the lower.
 */
export class HostileMember {
  readonly identity: TestIdentity
  readonly card: RoomCard
  readonly events: HostEvent[] = []
  victimCard: RoomCard | null = null
  sealer: HopSealer | null = null
  readonly #conference: TestConference
  readonly #host: Host
  readonly #envelopes: Envelopes
  readonly #victim: TestMember
  readonly #address: RoomAddress
  #association: Association | null = null

  constructor(
    conference: TestConference,
    identity: TestIdentity,
    victim: TestMember,
    name = "hostile",
    self = identity.member,
  ) {
    this.#conference = conference
    this.identity = identity
    this.#victim = victim
    const { random } = conference
    this.#envelopes = new Envelopes({
      scope,
      keyring: new Keyring(invitation),
      self,
      ephemeralSecret: random.bytes(32),
      nonce: random.bytes(16),
    })
    const { ephemeral, nonce } = this.#envelopes
    const address = random.bytes(16)
    const extension = new Uint8Array(0)
    const { certificate } = identity
    this.card = { protocol: PROTOCOL, certificate, incarnation: 1, entry: 1, address, ephemeral, nonce, extension }
    this.#address = bytesToHex(address) as RoomAddress
    this.#host = conference.network.createHost(name)((event) => this.#handle(event))
    this.#host.post({ type: "bootstrap-connect", server: SERVER })
    this.#host.post({ type: "room-enter", server: SERVER, request: 1, room, address: this.#address })
  }

  /** Its advertisement, signed by `signer`, showing `card`. */
  advertise(card: RoomCard = this.card, signer: TestIdentity = this.identity): Promise<void> {
    const signature = ed25519.sign(signedByCard(scope, card), signer.secretKey)
    const nonce = this.#conference.random.bytes(24)
    const advertisement = sealAdvertisement(invitation.advertisement, scope, card, signature, nonce)
    this.#host.post({ type: "room-advertise", server: SERVER, room, advertisement })
    return this.#conference.network.run()
  }

  /** A signal in the name of itself, or whatever `signature` says. */
  signal(signal: Signal, sign?: (bytes: Uint8Array) => Uint8Array): Promise<void> {
    return this.signalBytes(encodeSignal(signal), sign)
  }

  /** The same of any bytes. */
  signalBytes(
    signal: Uint8Array,
    sign: (bytes: Uint8Array) => Uint8Array = (bytes) => ed25519.sign(bytes, this.identity.secretKey),
  ): Promise<void> {
    if (this.victimCard === null) throw new Error("the victim has not said hello yet")
    const draft = this.#envelopes.draft(this.#victim.member, this.victimCard, invitation, signal)!
    const to = bytesToHex(this.victimCard.address) as RoomAddress
    this.#host.post({ type: "room-signal", server: SERVER, room, to, envelope: draft.seal(sign(draft.signed)) })
    return this.#conference.network.run()
  }

  /** Known to the victim and knowing it. */
  async introduce(): Promise<void> {
    await this.advertise()
    await this.signal({ kind: "hello", card: this.card })
  }

  /** Opens a peer connection and signals its offer, as the rules say, up to the confirmed association. */
  async link(attempt = 1): Promise<void> {
    const connectionId = attempt as ConnectionId
    this.#host.post({ type: "peer-open", connectionId, initiator: true })
    await this.#conference.network.run()
    for (const event of this.events.splice(0)) {
      if (event.type === "peer-signal") await this.signal(toSignal(event.signal, attempt))
    }
    await this.#conference.network.run()
  }

  send(frames: readonly Uint8Array[], connectionId = 1): Promise<void> {
    this.#host.post({ type: "peer-send", connectionId: connectionId as ConnectionId, reliability: "reliable", frames })
    return this.#conference.network.run()
  }

  #handle(event: HostEvent): void {
    this.events.push(event)
    if (event.type === "room-signal") this.#handleEnvelope(event.envelope, event.from)
    else if (event.type === "peer-connected") this.#associate(event)
    else if (event.type === "peer-frames")
      for (const frame of event.frames) this.#stepAssociation(event.connectionId, frame)
  }

  #handleEnvelope(envelope: Uint8Array, from: RoomAddress): void {
    const opened = this.#envelopes.open(envelope, from, 0)
    // Others greet it, too, and are none of its business.
    if ("refused" in opened || opened.from !== this.#victim.member) return
    const signal = decodeSignal(opened.body)
    if (signal?.kind === "hello") this.victimCard = signal.card
    else if (signal && signal.kind !== "neighbour") {
      const { kind, attempt, ...fields } = signal
      const data = (kind === "candidate" ? { type: "candidate", ...fields } : fields) as PeerSignal
      this.#host.post({ type: "peer-signal", connectionId: attempt as ConnectionId, signal: data })
    }
  }

  message(bytes: Uint8Array): Promise<void> {
    return this.send(packParcels([{ control: false, bytes }], (each) => this.sealer!.seal(each)))
  }

  /** Over its direct link, sealed as the rules say. */
  control(control: Control, connectionId = 1 as ConnectionId): Promise<void> {
    this.#control(connectionId, control)
    return this.#conference.network.run()
  }

  #control(connectionId: ConnectionId, control: Control): void {
    const frames = packParcels([{ control: true, bytes: encodeControl(control) }], (each) => this.sealer!.seal(each))
    this.#host.post({ type: "peer-send", connectionId, reliability: "reliable", frames })
  }

  #associate(event: HostEvent & { type: "peer-connected" }): void {
    const { random } = this.#conference
    this.#association = new Association({
      scope,
      keys: [invitation.association],
      role: "initiator",
      linkType: "webrtc",
      protocol: PROTOCOL,
      attempt: event.connectionId,
      own: { ...this.card, fingerprint: event.localFingerprint },
      peer: { ...this.victimCard!, fingerprint: event.remoteFingerprint },
      ephemeralSecret: random.bytes(32),
      nonce: random.bytes(32),
      hybrid: null,
    })
    this.#host.post({
      type: "peer-send",
      connectionId: event.connectionId,
      reliability: "reliable",
      frames: [this.#association.start()],
    })
  }

  #stepAssociation(connectionId: ConnectionId, frame: Uint8Array): void {
    const outputs = this.#association?.step({ type: "message", bytes: frame }) ?? []
    for (let output = outputs.shift(); output; output = outputs.shift()) {
      if (output.type === "send")
        this.#host.post({ type: "peer-send", connectionId, reliability: "reliable", frames: [output.bytes] })
      else if (output.type === "sign") {
        const signature = ed25519.sign(output.bytes, this.identity.secretKey)
        outputs.push(...this.#association!.step({ type: "signed", signature }))
      } else if (output.type === "verify") outputs.push(...this.#association!.step({ type: "verified", ok: true }))
      else if (output.type === "proved") {
        this.sealer = output.hop.sealer
        this.#control(connectionId, {
          kind: "resume",
          own: this.#conference.random.bytes(16),
          known: null,
          received: 0,
        })
        this.#control(connectionId, { kind: "start", next: 1 })
      }
    }
  }
}

function toSignal(signal: PeerSignal, attempt: number): Signal {
  if (signal.type === "candidate") return { kind: "candidate", attempt, ...signal } as Signal
  const found = sdpFingerprint(signal.sdp)
  if (!found.ok) throw new Error(found.reason)
  return { kind: "description", attempt, type: signal.type, sdp: signal.sdp }
}
