import { randomBytes } from "node:crypto"
import { type Delivery, SIGNALING_PATH } from "@keymoot/transport/signaling-protocol"
import { io, type Socket } from "socket.io-client"
import { proofOf, verifier } from "../invitation.ts"

const ANSWER_TIMEOUT_MS = 30_000
/** Messages of a pair from the first relayed frame to the key, each an answer to the one before. */
const STEPS = 9
const STEP_BYTES = 800
/** As long as a direct connection takes, both ends of a pair send a heartbeat this often. */
const HEARTBEATS = 15
const HEARTBEAT_MS = 200
const HEARTBEAT_BYTES = 200
const CARD_BYTES = 900
const HEARTBEAT_STEP = 255

/** A member that joins as the app does, over the relay, without its cryptography. */
export class RelayMember {
  readonly address = randomBytes(16).toString("hex")
  readonly #socket: Socket
  readonly #room: string
  readonly #secured = new Set<string>()
  readonly #beating = new Set<ReturnType<typeof setInterval>>()
  #wanted = 0
  #onSecured: () => void = () => {}
  #onFailure: (error: Error) => void = () => {}
  frames = 0

  /** `number` gives the member a network address of its own. */
  constructor(url: string, room: string, number: number) {
    this.#room = room
    this.#socket = io(url, {
      path: SIGNALING_PATH,
      transports: ["websocket"],
      forceNew: true,
      reconnection: false,
      extraHeaders: { "X-Forwarded-For": `10.${2 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}` },
    })
    this.#socket.on("room:advertise", ({ from }: Delivery<"room:advertise">) => this.#signal(from))
    this.#socket.on("signal", ({ from, envelope }: Delivery<"signal">) => this.#handleSignal(from, envelope))
    this.#socket.on("relay", ({ from, frame }: Delivery<"relay">, acknowledge: (answer: object) => void) => {
      acknowledge({ taken: true })
      this.#handleStep(from, new Uint8Array(frame)[0]!)
    })
    this.#socket.on("disconnect", (why) => this.#onFailure(new Error(`disconnected: ${why}`)))
  }

  async connect(): Promise<void> {
    await new Promise<void>((done, fail) => {
      this.#socket.once("connect", done)
      this.#socket.once("connect_error", fail)
    })
  }

  async create(descriptor: Uint8Array): Promise<void> {
    const expiresAtMs = Date.now() + 3_600_000
    await this.#ask("conference:create", { id: this.#room, descriptor, expiresAtMs, verifier })
  }

  /** Returns when a key would be agreed with all others in the room. */
  async join(others: number): Promise<void> {
    this.#wanted = others
    const secured = new Promise<void>((done, fail) => {
      this.#onSecured = done
      this.#onFailure = fail
    })
    const { address } = this
    await Promise.all([
      this.#ask("room:enter", { room: this.#room, address, proof: proofOf(this.#socket, this.#room, address) }),
      this.#ask("room:advertise", { room: this.#room, advertisement: randomBytes(CARD_BYTES) }),
    ])
    if (others > 0) await secured
  }

  leave(): void {
    for (const beat of this.#beating) clearInterval(beat)
    this.#socket.off()
    this.#socket.close()
  }

  /** A hello of a member to a newcomer, whose answer begins the relay. */
  #signal(to: string, step = 0): void {
    const envelope = randomBytes(CARD_BYTES)
    envelope[0] = step
    this.#tell("signal", { room: this.#room, to, envelope })
  }

  #handleSignal(from: string, envelope: Uint8Array): void {
    if (new Uint8Array(envelope)[0] === 0) this.#signal(from, 1)
    else this.#relay(from, 1, STEP_BYTES)
  }

  #handleStep(from: string, step: number): void {
    if (step === HEARTBEAT_STEP) return
    if (step < STEPS) this.#relay(from, step + 1, STEP_BYTES)
    if (step < STEPS - 1 || this.#secured.has(from)) return
    this.#secured.add(from)
    this.#beat(from)
    if (this.#secured.size >= this.#wanted) this.#onSecured()
  }

  #beat(to: string): void {
    let left = HEARTBEATS
    const beat = setInterval(() => {
      this.#relay(to, HEARTBEAT_STEP, HEARTBEAT_BYTES)
      left -= 1
      if (left > 0) return
      clearInterval(beat)
      this.#beating.delete(beat)
    }, HEARTBEAT_MS)
    this.#beating.add(beat)
  }

  #relay(to: string, step: number, bytes: number): void {
    this.frames += 1
    this.#tell("relay", { room: this.#room, to, frame: randomBytes(bytes).fill(step, 0, 1) })
  }

  #tell(name: string, request: object): void {
    this.#ask(name, request).catch((error: unknown) => this.#onFailure(error as Error))
  }

  async #ask(name: string, request: object): Promise<void> {
    const reply = (await this.#socket.timeout(ANSWER_TIMEOUT_MS).emitWithAck(name, request)) as {
      readonly ok: boolean
      readonly code?: string
    }
    if (!reply.ok) throw new Error(`${name}: ${reply.code}`)
  }
}
