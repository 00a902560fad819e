import { randomBytes } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { conferenceIdOf, descriptorHashOf, SIGNALING_PATH } from "@keymoot/transport/signaling-protocol"
import { io, type Socket } from "socket.io-client"
import { proofOf, verifier } from "../invitation.ts"

const PAIRS = 10
/** As two members that make a connection signal each other. */
const INTERVAL_MS = 50
const ANSWER_TIMEOUT_MS = 30_000

export interface HonestFigures {
  readonly asked: number
  /** Refused, not answered, or cut off. */
  readonly failures: number
  readonly medianMs: number
  readonly p99Ms: number
  readonly worstMs: number
}

/** Pairs of people who signal each other all the time and note how long each answer took. */
export async function honestPeople(url: string): Promise<{ leave(): Promise<HonestFigures> }> {
  const latenciesMs: number[] = []
  let failures = 0
  let leaving = false
  const sockets: Socket[] = []

  const ask = async (socket: Socket, name: string, request: object): Promise<void> => {
    const sinceMs = performance.now()
    try {
      const reply = (await socket.timeout(ANSWER_TIMEOUT_MS).emitWithAck(name, request)) as { readonly ok: boolean }
      if (!reply.ok) failures += 1
      latenciesMs.push(performance.now() - sinceMs)
    } catch {
      failures += 1
    }
  }
  const connect = async (): Promise<Socket> => {
    const socket = io(url, {
      path: SIGNALING_PATH,
      transports: ["websocket"],
      forceNew: true,
      reconnection: false,
      extraHeaders: { "X-Forwarded-For": `10.1.0.${sockets.length}` },
    })
    sockets.push(socket)
    await new Promise<void>((done, fail) => {
      socket.once("connect", done)
      socket.once("connect_error", fail)
    })
    socket.on("disconnect", () => (failures += leaving ? 0 : 1))
    return socket
  }
  const signalling = async (from: Socket, room: string, to: string): Promise<void> => {
    // oxlint-disable-next-line no-unmodified-loop-condition -- It is modified when the honest people leave.
    while (!leaving) {
      await ask(from, "signal", { room, to, envelope: randomBytes(1_000) })
      await sleep(INTERVAL_MS)
    }
  }

  const everybody: Promise<void>[] = []
  for (let pair = 0; pair < PAIRS; pair++) {
    const [one, other] = [await connect(), await connect()]
    const [address, otherAddress] = [hex(), hex()]
    const descriptor = randomBytes(500)
    const room = conferenceIdOf(descriptorHashOf(descriptor))
    await ask(one, "conference:create", { id: room, descriptor, expiresAtMs: Date.now() + 3_600_000, verifier })
    await ask(one, "room:enter", { room, address, proof: proofOf(one, room, address) })
    await ask(other, "room:enter", { room, address: otherAddress, proof: proofOf(other, room, otherAddress) })
    everybody.push(signalling(one, room, otherAddress), signalling(other, room, address))
  }
  latenciesMs.length = 0

  return {
    leave: async () => {
      leaving = true
      await Promise.all(everybody)
      for (const socket of sockets) socket.close()
      const sorted = latenciesMs.toSorted((a, b) => a - b)
      const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
      return { asked: sorted.length, failures, medianMs: at(0.5), p99Ms: at(0.99), worstMs: at(1) }
    },
  }
}

function hex(): string {
  return randomBytes(16).toString("hex")
}
