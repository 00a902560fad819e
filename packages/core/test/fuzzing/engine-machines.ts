/** A whole conference of one member, with a hostile member in its view and a hostile server. Inputs are scripts. */
import { setImmediate } from "node:timers/promises"
import { encodeDirect, encodeLinkMessage, Mesh, TraceSink } from "@keymoot/transport"
import type { ConnectionId, Host, HostEvent, RoomAddress } from "@keymoot/transport/host"
import { LoopbackNetwork } from "@keymoot/transport/testing"
import type { Cipher, PostQuantum } from "../../src/api/index.ts"
import { loadCipher } from "../../src/ciphers/load-cipher.ts"
import { createDescriptor } from "../../src/conference/create-descriptor.ts"
import { openDescriptor } from "../../src/conference/descriptor.ts"
import { ConferenceRecord } from "../../src/device/conference-record.ts"
import { createCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import { openIdentity, type OwnIdentity } from "../../src/identity/own-identity.ts"
import { VerifiedPeople } from "../../src/identity/verified-people.ts"
import { documentChannel, KEY_CHANNEL, LOG_CHANNEL, MessageKind } from "../../src/multicast/message-kind.ts"
import { loadCryptography } from "../../src/platform/cryptography.ts"
import type { EngineEvent } from "../../src/rpc/protocol.ts"
import { ConferenceRuntime } from "../../src/runtime/conference-runtime.ts"
import { messagesIn } from "./scripts.ts"

const SERVER = "http://localhost:1"
const STEP_MS = 50
const SECURED_WITHIN_MS = 90_000
/** Turns of the event loop for the signatures of one step. */
const TURNS = 3
const FROM = "c0".repeat(16) as RoomAddress

const checker = createCredentialChecker()
const cryptography = await loadCryptography()
const person = (name: string): Promise<OwnIdentity> => openIdentity({ name, store: createMemoryStore() })
const [ada, mallory, bob] = [await person("Ada"), await person("Mallory"), await person("Bob")]
const CIPHERS: readonly Cipher[] = ["aes-256-gcm", "chacha20-poly1305", "aes-256-gcm-siv"]
const MODES: readonly PostQuantum[] = ["off", "hybrid"]

/** A conference that the script chooses by its first byte. */
async function conferenceWith(cipher: Cipher, postQuantum: PostQuantum) {
  const { bytes, invitation } = await createDescriptor({
    server: SERVER,
    title: "Fuzzing",
    creator: ada,
    keyAgreement: "tgdh",
    cipher,
    postQuantum,
    admission: { policy: "link" },
    history: "everything",
    startsAtMs: Date.now(),
    durationMs: 24 * 3_600_000,
  })
  const descriptor = await openDescriptor(bytes, invitation, checker, Date.now())
  return { bytes, invitation, descriptor, cipher: await loadCipher(cipher, cryptography.hopCipher) }
}
const conferences = await Promise.all(
  MODES.flatMap((postQuantum) => CIPHERS.map((cipher) => conferenceWith(cipher, postQuantum))),
)
export const CONFERENCES = conferences.length

/** Ways to the victim: over a member's link, from a member to its group, and what the server and the page can cause. */
const WAYS = 5
export const [LINK_MESSAGE, NOTICE, DIRECT, GROUP_MESSAGE, HOST_EVENT] = [0, 1, 2, 3, 4] as const
/** One more than there are, so that an unknown one comes. */
export const KINDS = Object.keys(MessageKind).length + 1
const CHANNELS = [KEY_CHANNEL, LOG_CHANNEL, "chat", documentChannel("board")]

/** Conferences of some people over a network without delays, in a time that only `pass` moves on. */
class Gathering {
  readonly #network = new LoopbackNetwork()
  readonly #started: { readonly runtime: ConferenceRuntime; readonly host: Host }[] = []
  readonly #conference: (typeof conferences)[0]
  #nowMs = 0

  constructor(conference: (typeof conferences)[0]) {
    this.#conference = conference
  }

  async start(identity: OwnIdentity, onEvent: (event: EngineEvent) => void = () => undefined) {
    let [links, requests] = [0, 0]
    let handle: (event: HostEvent) => void = () => undefined
    const host = this.#network.createHost(identity.name)((event) => handle(event))
    const { id, signer, publicKey } = identity
    const { bytes, invitation, descriptor, cipher } = this.#conference
    const runtime = new ConferenceRuntime({
      descriptor,
      invitation,
      record: await ConferenceRecord.open(createMemoryStore(), invitation, bytes),
      identity,
      checker,
      people: await VerifiedPeople.open({ store: createMemoryStore(), id, signer, publicKey, checker }),
      cryptography,
      cipher,
      transportPolicy: "all",
      connected: true,
      created: identity === ada,
      announcedEndMs: null,
      files: { shelf: "shelf", blocks: createMemoryStore().files },
      host: {
        nextConnection: () => ++links as ConnectionId,
        nextRequest: () => ++requests,
        post: (command) => host.post(command),
      },
      sink: { take: onEvent },
      copy: null,
      clock: { now: () => Date.now() + this.#nowMs },
      traceSink: new TraceSink(),
    })
    handle = (event) => runtime.handleHost(event)
    host.post({ type: "bootstrap-connect", server: SERVER })
    this.#started.push({ runtime, host })
    return runtime
  }

  async pass(ms: number): Promise<void> {
    for (const endMs = this.#nowMs + ms; this.#nowMs < endMs;) {
      this.#nowMs += STEP_MS
      for (const { runtime } of this.#started) runtime.tick(this.#nowMs)
      for (let turn = 0; turn < TURNS; turn++) {
        await this.#network.run()
        await setImmediate()
      }
    }
  }

  /** @throws if they are not secured together in time */
  async untilSecured(runtime: ConferenceRuntime, { member }: OwnIdentity): Promise<void> {
    const isTogether = (): boolean => {
      const { status, members } = runtime.layers.content.roster.view
      return status === "secured" && members.some(({ id }) => id === member)
    }
    for (let ms = 0; ms < SECURED_WITHIN_MS && !isTogether(); ms += 500) await this.pass(500)
    if (!isTogether()) throw new Error("the victim secures no view with an honest member")
  }

  async end(): Promise<void> {
    for (const { runtime, host } of this.#started) {
      await runtime.close("left")
      host.close()
    }
  }
}

/**
 * First byte: which conference. Each message: its way (1), then its bytes. Afterwards an honest member comes, and has
 * to be in the victim's view.
 */
export async function runEngine(script: Uint8Array): Promise<void> {
  const conference = conferences[(script[0] ?? 0) % CONFERENCES]!
  const gathering = new Gathering(conference)
  let closed: string | null = null
  try {
    const victim = await gathering.start(ada, (event) => {
      if (event.type === "closed") closed = event.reason
    })
    const hostile = await gathering.start(mallory)
    const mesh = meshOf(hostile)
    await gathering.untilSecured(victim, mallory)
    for (const [way = 0, ...rest] of messagesIn(script.subarray(1))) {
      const bytes = Uint8Array.from(rest)
      if (way % WAYS === LINK_MESSAGE) mesh.send(ada.member, bytes)
      else if (way % WAYS === NOTICE) mesh.send(ada.member, encodeLinkMessage({ type: "outOfGroup", bytes }))
      else if (way % WAYS === DIRECT) mesh.send(ada.member, encodeDirect(bytes))
      else if (way % WAYS === GROUP_MESSAGE) sendToGroup(hostile, bytes)
      else victim.handleHost(hostEvent(conference.invitation.conferenceId, bytes))
      await gathering.pass(2 * STEP_MS)
    }
    await gathering.start(bob)
    await gathering.untilSecured(victim, bob)
    if (closed) throw new Error(`the victim's conference closed: ${String(closed)}`)
  } finally {
    await gathering.end()
  }
}

/** A channel (1), a kind (1), content. */
function sendToGroup({ layers }: ConferenceRuntime, [channel = 0, kind = 0, ...payload]: Uint8Array): void {
  const name = CHANNELS[channel % CHANNELS.length]!
  void layers.content.sending.sendPiece(name, (kind % KINDS) as MessageKind, Uint8Array.from(payload))
}

/** A runtime keeps its mesh to itself. A hostile program does not ask. */
function meshOf(runtime: ConferenceRuntime): Mesh {
  const { handle } = Mesh.prototype
  const called: Mesh[] = []
  Mesh.prototype.handle = function (this: Mesh) {
    called.push(this)
  }
  runtime.handleHost({ type: "bootstrap-state", server: "http://localhost:2", state: "down" })
  Mesh.prototype.handle = handle
  const [mesh] = called
  if (!mesh) throw new Error("the runtime has no mesh")
  return mesh
}

export const HOST_EVENTS = 12

/** A type (1), a link or a request (1), content. */
function hostEvent(room: string, [type = 0, number = 1, ...rest]: Uint8Array): HostEvent {
  const bytes = Uint8Array.from(rest)
  const text = new TextDecoder().decode(bytes)
  const connectionId = number as ConnectionId
  const reliability = type & 0x80 ? "unreliable" : "reliable"
  const ice = { stun: [text], turn: { urls: [text], username: text, credential: text, lifetimeMs: bytes.length } }
  const events: readonly HostEvent[] = [
    { type: "room-advertisement", server: SERVER, room, from: FROM, advertisement: bytes },
    { type: "room-signal", server: SERVER, room, from: FROM, envelope: bytes },
    { type: "peer-frames", connectionId, reliability, frames: [bytes] },
    { type: "peer-closed", connectionId, byPeer: true, reason: text },
    { type: "peer-signal", connectionId, signal: { type: "offer", sdp: text } },
    {
      type: "peer-signal",
      connectionId,
      signal: { type: "candidate", candidate: text, sdpMid: null, sdpMLineIndex: null },
    },
    { type: "peer-connected", connectionId, localFingerprint: text, remoteFingerprint: text },
    { type: "peer-signal", connectionId, signal: { type: "answer", sdp: text } },
    {
      type: "bootstrap-reply",
      server: SERVER,
      request: number,
      reply: { ok: true, descriptor: bytes, end: bytes, ice },
    },
    { type: "bootstrap-reply", server: SERVER, request: number, reply: { ok: false, code: text, message: text } },
    { type: "bootstrap-state", server: SERVER, state: "up", connection: text },
    { type: "bootstrap-state", server: SERVER, state: "down" },
  ]
  return events[(type & 0x7f) % events.length]!
}
