import { generateKeyPairSync, randomBytes, sign } from "node:crypto"
import { conferenceIdOf, descriptorHashOf, roomProofBytes, SIGNALING_PATH } from "@keymoot/transport/signaling-protocol"
import { io, type Socket } from "socket.io-client"

/** Connecting at once; more would measure the kernel's queue. */
const CONNECTING_MAX = 64
const ENVELOPE_BYTES = 1_500
const DESCRIPTOR_BYTES = 600
const ADVERTISEMENT_BYTES = 400
/** How often what is due is sent. */
const SEND_MS = 5
/** A message that has not arrived this long after the last one was sent is lost. */
const PATIENCE_MS = 5_000

type Client = { readonly socket: Socket; readonly room: string; readonly address: string; readonly peers: Client[] }

/** The invitation of every conference. */
const invitation = generateKeyPairSync("ed25519")
const VERIFIER = Buffer.from(invitation.publicKey.export({ format: "jwk" }).x!, "base64url")

/** Clients that do what members do, without what stays between these. */
export class LoadClients {
  readonly #url: string
  readonly #clients: Client[] = []
  /** Due times and latencies of the present round of signals. */
  #dueMs: number[] = []
  #delaysMs: number[] = []

  constructor(url: string) {
    this.#url = url
  }

  /** Everybody connects, enters a room and advertises there; the first of each room makes its conference. */
  async enter(count: number, roomCount: number): Promise<void> {
    const rooms = Array.from({ length: roomCount }, () => {
      const descriptor = randomBytes(DESCRIPTOR_BYTES)
      return { id: conferenceIdOf(descriptorHashOf(descriptor)), descriptor, peers: [] as Client[] }
    })
    let next = 0
    const work = async (): Promise<void> => {
      while (next < count) {
        const index = next++
        const room = rooms[index % roomCount]!
        const client = await this.#connect(room.id, room.peers)
        if (index < roomCount) {
          const { id, descriptor } = room
          const expiresAtMs = Date.now() + 3_600_000
          await ask(client, "conference:create", { id, descriptor, expiresAtMs, verifier: VERIFIER })
        }
        room.peers.push(client)
        this.#clients.push(client)
      }
    }
    await inParallel(work)
    next = 0
    await inParallel(async () => {
      while (next < count) {
        const client = this.#clients[next++]!
        const { room, address, socket } = client
        const proof = sign(null, roomProofBytes(room, address, socket.id!), invitation.privateKey)
        await ask(client, "room:enter", { room, address, proof: new Uint8Array(proof) })
        await ask(client, "room:advertise", { room: client.room, advertisement: randomBytes(ADVERTISEMENT_BYTES) })
      }
    })
  }

  /** An open loop: each signal is due at its time, whatever became of those before. Delays are counted from then. */
  async signal(
    perSecond: number,
    seconds: number,
  ): Promise<{ readonly rate: number; readonly delaysMs: number[]; readonly lost: number }> {
    const envelope = randomBytes(ENVELOPE_BYTES)
    const total = perSecond * seconds
    this.#delaysMs = []
    const sinceMs = performance.now()
    this.#dueMs = Array.from({ length: total }, (_, index) => sinceMs + (index * 1000) / perSecond)
    let sent = 0
    await new Promise<void>((done) => {
      const timer = setInterval(() => {
        while (sent < total && this.#dueMs[sent]! <= performance.now()) this.#send(sent++, envelope)
        if (sent < total) return
        clearInterval(timer)
        done()
      }, SEND_MS)
    })
    const rate = (sent / (performance.now() - sinceMs)) * 1000
    const untilMs = performance.now() + PATIENCE_MS
    while (this.#delaysMs.length < total && performance.now() < untilMs) await pause(SEND_MS)
    return { rate, delaysMs: this.#delaysMs.toSorted((a, b) => a - b), lost: total - this.#delaysMs.length }
  }

  close(): void {
    for (const { socket } of this.#clients) socket.disconnect()
  }

  #send(number: number, envelope: Buffer): void {
    const from = this.#clients[number % this.#clients.length]!
    const others = from.peers.filter((peer) => peer !== from)
    const to = others[number % others.length]!
    // Its number, where the other end finds it.
    const numbered = Buffer.from(envelope)
    numbered.writeUInt32BE(number)
    from.socket.emit("signal", { room: from.room, to: to.address, envelope: numbered }, () => {})
  }

  #connect(room: string, peers: Client[]): Promise<Client> {
    return new Promise((done, fail) => {
      const socket = io(this.#url, {
        path: SIGNALING_PATH,
        transports: ["websocket"],
        forceNew: true,
        reconnection: false,
      })
      socket.once("connect_error", fail)
      socket.once("connect", () => done({ socket, room, address: hex(), peers }))
      socket.on("signal", ({ envelope }: { envelope: Buffer }) => {
        this.#delaysMs.push(performance.now() - this.#dueMs[envelope.readUInt32BE()]!)
      })
    })
  }
}

async function ask({ socket }: Client, name: string, request: object): Promise<void> {
  const reply = (await socket.timeout(60_000).emitWithAck(name, request)) as { readonly ok: boolean }
  if (!reply.ok) throw new Error(`${name} was refused: ${JSON.stringify(reply)}`)
}

async function inParallel(work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: CONNECTING_MAX }, work))
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))
const hex = (): string => randomBytes(16).toString("hex")
