import { parse, type RelayAnswer, relayAnswer } from "@keymoot/transport/signaling-protocol"
import type { Namespace, Socket } from "socket.io"

/** `BROADCAST_ACK` of Socket.IO's adapters: a client's acknowledgement on its way to the process that asked for it. */
const BROADCAST_ACK = 12

interface Response {
  readonly type: number
  readonly data: { packet?: unknown }
}

/** A packet that awaits acknowledgements has an id as soon as this process has sent it to its clients. */
interface Packet {
  id?: number
}

interface Message {
  readonly data?: {
    readonly packet?: Packet
    readonly opts?: { readonly rooms: readonly string[]; readonly flags?: { readonly timeout?: number } }
  }
}

/** The parts of Socket.IO's adapter for several processes that its types hide. */
interface Adapter {
  readonly rooms: ReadonlyMap<string, ReadonlySet<string>>
  broadcastWithAck(packet: Packet, options: { readonly rooms: ReadonlySet<string> }, ...callbacks: unknown[]): void
  publishResponse(process: string, response: Response): void
  onMessage(message: Message, offset?: string): void
}

/**
 * Bounds what unanswered relayed frames cost when sender and receiver are at two processes. Relayed frames are the only
 * packets between processes with an acknowledgement.
 */
export function boundAnswers<A extends object>(adapter: A, namespace: Namespace): A {
  const hidden = adapter as A & Adapter
  spareSearch(hidden)
  shorten(hidden)
  forget(hidden, namespace)
  return adapter
}

/**
 * Without its id, a packet is not searched for in all connections of the sender's process when its time has run out. Its
 * receiver is at another process.
 */
function spareSearch(adapter: Adapter): void {
  const broadcastWithAck = adapter.broadcastWithAck.bind(adapter)
  adapter.broadcastWithAck = (packet, options, ...callbacks) => {
    broadcastWithAck(packet, options, ...callbacks)
    if (![...options.rooms].some((channel) => adapter.rooms.has(channel))) delete packet.id
  }
}

/**
 * Passes an answer on as what it means, and so in a few bytes. Unmodified, the adapter encodes whatever a client has
 * acknowledged. A value that is nested too deeply throws there, which would end the process.
 */
function shorten(adapter: Adapter): void {
  const publishResponse = adapter.publishResponse.bind(adapter)
  adapter.publishResponse = (process, response) => {
    if (response.type === BROADCAST_ACK) response.data.packet = answerIn(response.data.packet)
    publishResponse(process, response)
  }
}

function answerIn(acknowledged: unknown): RelayAnswer {
  const parsed = parse(relayAnswer, acknowledged)
  return parsed.ok ? parsed.value : { taken: false }
}

/** Forgets a frame that is not acknowledged, at the same time as its sender. Unmodified, it is kept with its receiver. */
function forget(adapter: Adapter, { sockets }: Namespace): void {
  const onMessage = adapter.onMessage.bind(adapter)
  adapter.onMessage = (message, offset) => {
    onMessage(message, offset)
    const { packet, opts } = message.data ?? {}
    const id = packet?.id
    if (id === undefined || opts === undefined) return
    const ids = opts.rooms.flatMap((channel) => [...(adapter.rooms.get(channel) ?? [])])
    const receivers = ids.flatMap((receiver) => sockets.get(receiver) ?? [])
    setTimeout(() => receivers.forEach((receiver) => acksOf(receiver).delete(id)), opts.flags?.timeout).unref()
  }
}

/** The callbacks of unanswered packets, which refer to the packets. */
const acksOf = (socket: Socket) => (socket as unknown as { readonly acks: Map<number, unknown> }).acks
