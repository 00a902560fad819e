import { aesGcm } from "../../src/ciphers/aes-gcm.ts"
import { loadKem, loadSodiumGroup, type PrimeOrderGroup } from "@keymoot/gke"
import { decodeFrame, decodeLinkMessage, type FrameKind, type MemberId } from "@keymoot/transport"
import { randomBytes } from "@noble/hashes/utils.js"
import type { Authenticity, PostQuantum } from "../../src/api/index.ts"
import type { DriverConfig, DriverEvent } from "../../src/driver/driver-config.ts"
import { GroupDriver } from "../../src/driver/group-driver.ts"
import { CREDENTIALS_KNOWN_MAX } from "../../src/frames/frame-opener.ts"
import { LruMap } from "../../src/wire/index.ts"
import { MemberLinks } from "../../src/driver/member-links.ts"
import { deliver, type SendOutcome } from "../../src/driver/outbox.ts"
import { createCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import { openIdentity, type OwnIdentity } from "../../src/identity/own-identity.ts"

const INCARNATION = 1
const CONFERENCE = "00112233445566778899aabbccddeeff"
const key = new Uint8Array(32)
export const keys = { signal: key, advertisement: key, association: key }
/** Nobody crashes here, and nobody is to look as if they had, however busy the machine is. */
const suspectMs = 30_000
const times = { heartbeatMs: 40, suspectMs, joinBatchMs: 20, resendMs: 80, proposalMs: 2000, aloneAfterMs: 60 }
export const primeGroup = await loadSodiumGroup()
const kem = await loadKem()

export type Sent = { readonly from: MemberId; readonly to: MemberId; readonly bytes: Uint8Array }

export type RoomOptions = {
  readonly authenticity?: Authenticity
  readonly module?: "tgdh" | "str" | "bd" | "gdh" | "ckd"
  readonly media?: NonNullable<DriverConfig["media"]>
  readonly postQuantum?: PostQuantum
}

export class DriverMember {
  readonly identity: OwnIdentity
  readonly driver: GroupDriver
  readonly events: DriverEvent[] = []

  constructor(
    identity: OwnIdentity,
    send: (sent: Sent) => void,
    group: PrimeOrderGroup = primeGroup,
    { authenticity = "signature", module = "tgdh", postQuantum = "off", media }: RoomOptions = {},
  ) {
    this.identity = identity
    const checker = createCredentialChecker()
    const { member, certificate, publicKey, name } = identity
    const mesh = {
      send: (to: MemberId, bytes: Uint8Array) => {
        send({ from: member, to, bytes })
        return true
      },
      isUnderWay: () => false,
      congested: () => false,
      heartbeatLane: () => "reliable" as const,
      windowBytes: () => null,
    }
    this.driver = new GroupDriver({
      links: new MemberLinks(mesh, null),
      known: new LruMap(CREDENTIALS_KNOWN_MAX),
      group: {
        self: { id: member, incarnation: INCARNATION },
        conferenceTag: new Uint8Array(32),
        epochFloor: 0,
        ...times,
      },
      authenticity,
      secure: {
        module,
        group,
        conferenceId: new Uint8Array(16),
        descriptorHash: new Uint8Array(32),
        cipher: aesGcm,
        postQuantum,
        kem,
        invitation: new Uint8Array(32),
        random: { bytes: randomBytes },
      },
      rules: { digest: () => new Uint8Array(32) },
      conferenceId: CONFERENCE,
      self: { member, certificate, publicKey, name },
      roster: [],
      signer: identity.signer,
      checker,
      identifiedBy: "certificate",
      ...(media ? { media } : {}),
      sink: {
        take: (event) => {
          this.events.push(event)
          if (event.type === "refreshDue") this.driver.replaceView()
          if (event.type === "batch") for (const own of event.own) deliver(own, null)
        },
      },
      faults: {
        fail: (error) => {
          throw error
        },
      },
    })
  }

  get id(): MemberId {
    return this.identity.member
  }

  get isSecured(): boolean {
    const statuses = this.events.filter(({ type }) => type === "agreeing" || type === "keyed" || type === "secured")
    return statuses.at(-1)?.type === "secured"
  }

  /** Views secured so far, by their size. */
  get secured(): number[] {
    return this.events.flatMap((event) => (event.type === "secured" ? [event.view.members.length] : []))
  }

  /** Deliveries to the application. */
  get texts(): string[] {
    return this.events.flatMap((event) =>
      event.type === "batch" ? event.messages.map(({ payload }) => new TextDecoder().decode(payload)) : [],
    )
  }

  say(text: string): Promise<void> {
    const message = { channel: "test", kind: 0, payload: new TextEncoder().encode(text), sentAtMs: 0 }
    return new Promise((resolve, reject) => {
      const take = (result: SendOutcome): void => (result.type === "failed" ? reject(result.error) : resolve())
      this.driver.send({ message, service: "agreed", bulk: false, request: null, outcome: { take } })
    })
  }
}

/** Drivers with real keys and signatures, linked without a mesh: `sent` is all that went over the links, unprotected. */
export class DriverRoom {
  readonly sent: Sent[] = []
  /** The bytes that arrive, if a member sends something else to another one. */
  tamper: (sent: Sent) => Uint8Array | Promise<Uint8Array> = ({ bytes }) => bytes
  readonly #members = new Map<MemberId, DriverMember>()
  /** Includes excluded members. */
  readonly #everybody: DriverMember[] = []
  readonly #options: RoomOptions
  readonly #timer: ReturnType<typeof setInterval>

  constructor(options: RoomOptions = {}) {
    this.#options = options
    this.#timer = setInterval(() => {
      for (const member of this.#everybody) member.driver.tick(performance.now())
    }, 10)
  }

  /** `group`: what a member computes with that does not follow the protocol. */
  async join(name: string, group?: PrimeOrderGroup): Promise<DriverMember> {
    const identity = await openIdentity({ name, store: createMemoryStore() })
    const member = new DriverMember(identity, (sent) => this.#carry(sent), group, this.#options)
    member.driver.tick(performance.now())
    for (const other of this.#members.values()) {
      for (const [a, b] of [
        [member, other],
        [other, member],
      ] as const) {
        const { certificate, publicKey } = b.identity
        const credential = { member: b.id, certificate, publicKey }
        a.driver.handle({ type: "linkUp", peer: b.id, incarnation: INCARNATION, credential, keys, features: [] })
      }
    }
    this.#members.set(member.id, member)
    this.#everybody.push(member)
    return member
  }

  /** The others lose it; it lives on by itself. */
  exclude(member: DriverMember): void {
    this.#members.delete(member.id)
    for (const other of this.#members.values()) {
      member.driver.handle({ type: "linkDown", peer: other.id, reason: "excluded" })
    }
    for (const other of this.#members.values()) {
      other.driver.handle({ type: "linkDown", peer: member.id, reason: "excluded" })
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** Drops the member's later frames of this kind: key agreement or data. It takes part in everything else. */
  mute(member: DriverMember, about: "agreement" | "data" = "agreement"): void {
    this.#muted.set(member.id, about)
  }
  unmute(member: DriverMember): void {
    this.#muted.delete(member.id)
  }
  readonly #muted = new Map<MemberId, FrameKind>()

  #isMuted({ from, bytes }: Sent): boolean {
    const about = this.#muted.get(from)
    const message = about ? decodeLinkMessage(bytes) : null
    return message?.type === "frame" && decodeFrame(message.bytes)?.kind === about
  }

  #carry(sent: Sent): void {
    this.sent.push(sent)
    if (this.#isMuted(sent)) return
    const { from: peer, to } = sent
    const both = this.#members.has(peer) && this.#members.get(to)
    if (both)
      void Promise.resolve(this.tamper(sent)).then((bytes) => both.driver.handle({ type: "frame", peer, bytes }))
  }
}
