import { randomBytes } from "node:crypto"
import {
  conferenceIdOf,
  type Delivery,
  descriptorHashOf,
  type Reply,
  type Request,
  type RequestName,
  SIGNALING_PATH,
} from "@keymoot/transport/signaling-protocol"
import { io, type Socket } from "socket.io-client"
import { onTestFinished, vi } from "vitest"
import type { ServerConfig } from "../src/config.ts"
import { LIMITS, type Limits } from "../src/bounds/limits.ts"
import { type RunningServer, startServer } from "../src/server.ts"
import { proofOf, verifier } from "./invitation.ts"

/** Nothing here is about speed, and the machine may be busy. */
const PATIENT = { timeout: 30_000 }
export const ANSWER_TIMEOUT_MS = 30_000

/** Waits for a state, checked every so often: `vi.waitFor` by itself gives up after a second. */
export function until<T>(check: () => T | Promise<T>, intervalMs = 50): Promise<T> {
  return vi.waitFor(check, { ...PATIENT, interval: intervalMs })
}

/**
 * For the rest of the test, so much later than it is. The server in this process has the same clocks; a client whose `Date`
 * leaps by more than the ping interval takes its connection for dead.
 */
export function putForward(clock: { now(): number }, ms: number): void {
  const now = clock.now.bind(clock)
  const later = vi.spyOn(clock, "now").mockImplementation(() => now() + ms)
  onTestFinished(() => later.mockRestore())
}

/**
 * The timeouts that close any silent connection after some seconds. A hand-written client answers no ping, and a test
 * that waits for its end would pass without the bound that it names.
 */
const NO_TIMEOUTS = { pingIntervalMs: 600_000, handshakeTimeoutMs: 600_000 }

/** A server that closes with the test, and closes silent connections only if the test sets these limits. */
export async function serve(config: ServerConfig = {}, limits: Partial<Limits> = {}): Promise<RunningServer> {
  const server = await startServer(config, { ...LIMITS, ...NO_TIMEOUTS, ...limits })
  onTestFinished(() => server.close())
  return server
}

/** A connection that says what it likes: an honest request, or anything else. */
export interface Client {
  readonly socket: Socket
  ask<N extends RequestName>(name: N, request: Request<N>): Promise<Reply<N>>
  /** Sends whatever it is given and answers with whatever comes back. */
  say(name: string, ...payloads: unknown[]): Promise<unknown>
  readonly advertisements: Delivery<"room:advertise">[]
  readonly signals: Delivery<"signal">[]
}

/** The address of a client is its room address, the same in every test of a room. */
export async function join(
  url: string,
  transport: "websocket" | "polling" = "websocket",
  headers: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const client = talk(url, transport, headers)
  await new Promise<void>((done, fail) => {
    client.socket.once("connect", done)
    client.socket.once("connect_error", fail)
  })
  return client
}

function talk(url: string, transport: "websocket" | "polling", headers: Readonly<Record<string, string>>): Client {
  const socket = io(url, {
    path: SIGNALING_PATH,
    transports: [transport],
    extraHeaders: headers,
    forceNew: true,
    reconnection: false,
  })
  onTestFinished(() => void socket.close())
  const say = (name: string, ...payloads: unknown[]) => socket.timeout(ANSWER_TIMEOUT_MS).emitWithAck(name, ...payloads)
  const advertisements: Delivery<"room:advertise">[] = []
  const signals: Delivery<"signal">[] = []
  socket.on("room:advertise", (delivery: Delivery<"room:advertise">) => advertisements.push(delivery))
  socket.on("signal", (delivery: Delivery<"signal">) => signals.push(delivery))
  return { socket, say, ask: (name, request) => say(name, request) as Promise<never>, advertisements, signals }
}

/** A fresh conference id or room address. */
export function freshHex(): string {
  return randomBytes(16).toString("hex")
}

export function inAnHour(): number {
  return Date.now() + 3_600_000
}

/** A request to store a conference, under the id of this descriptor. */
export function creation(descriptor: Uint8Array = randomBytes(32)): Request<"conference:create"> {
  return { id: conferenceIdOf(descriptorHashOf(descriptor)), descriptor, expiresAtMs: inAnHour() }
}

/** Creates a conference and answers its id, which is also its room. */
export async function createRoom(client: Client): Promise<string> {
  const request = { ...creation(), verifier }
  const reply = await client.ask("conference:create", request)
  if (!reply.ok) throw new Error(reply.code)
  return request.id
}

/** Asks for a place, as a member does. */
export function enter(client: Client, room: string, address: string = freshHex()): Promise<Reply<"room:enter">> {
  return client.ask("room:enter", { room, address, proof: proofOf(client.socket, room, address) })
}

/** A member in the room, and its address there. */
export async function enterRoom(url: string, room: string): Promise<Client & { readonly address: string }> {
  const client = await join(url)
  const address = freshHex()
  const reply = await enter(client, room, address)
  if (!reply.ok) throw new Error(reply.code)
  return { ...client, address }
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

export function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
