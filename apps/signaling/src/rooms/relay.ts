import {
  type Failure,
  parse,
  RELAY_ANSWER_TIMEOUT_MS,
  RELAY_FRAME_BYTES_MAX,
  RELAY_FRAME_COST_BYTES,
  RELAY_PAIR_WINDOW_BYTES,
  RELAY_WINDOW_BYTES,
  relayAnswer,
  type Reply,
  type Request,
} from "@keymoot/transport/signaling-protocol"
import type { Addresses } from "../addresses/addresses.ts"
import { addressChannel } from "./channels.ts"
import { type Connection, type Handlers, Later, notInRoom, refuse } from "../connection.ts"
import { type Limits, RELAY_FRAME_CHARGE_BYTES } from "../bounds/limits.ts"
import { Quotas } from "../bounds/quotas.ts"
import { Tally } from "../bounds/tally.ts"
import { Shaper, TokenBucket } from "../bounds/token-bucket.ts"

/**
 * Unanswered bytes of one connection, its next frame included, that find room in the whole window of its network
 * address: one frame of any size. A client ends its link at a refusal, so a busy neighbour must not take all the room.
 */
const MODEST_BYTES_MAX = RELAY_FRAME_BYTES_MAX + RELAY_FRAME_COST_BYTES

/**
 * Relays frames between two members of one room. Anybody can create a conference, and so could use the relay to move
 * bytes between two places. Hence a rate and a quota, which neither more rooms nor new connections increase.
 */
export function relayHandlers(
  addresses: Addresses,
  limits: Limits,
  addressOf: (connection: Connection) => string,
  addressScale: number,
): Pick<Handlers, "relay"> {
  const senders = new WeakMap<Connection, Sender>()
  const quotas = new Quotas(limits.relayPerAddress, addressScale)
  const underWay = new Tally()
  const underWayMax = limits.relayUnderWayPerAddress * addressScale
  const sharedOf = (address: string): Shared => ({
    quota: quotas.of(address),
    roomBytes: (ownBytes) => (ownBytes > MODEST_BYTES_MAX ? underWayMax / 2 : underWayMax) - underWay.of(address),
    count: (bytes) => underWay.add(address, bytes),
  })
  const senderOf = (connection: Connection): Sender => {
    const known = senders.get(connection) ?? new Sender(connection, addresses, limits, sharedOf(addressOf(connection)))
    senders.set(connection, known)
    return known
  }
  return {
    relay: (connection, request) => {
      const from = connection.data.entries[request.room]
      if (from === undefined) return notInRoom
      // One frame is as large as many signals, so strangers may not send any.
      return from.proven ? senderOf(connection).relay(request, from.address) : unproven
    },
  }
}

/** The use of the relay by all connections of one network address. */
interface Shared {
  readonly quota: TokenBucket
  /** Bytes that may be under way besides those that are. @param ownBytes those of the connection, with its next frame */
  roomBytes(ownBytes: number): number
  /** Counts bytes that are under way from now on, or negative ones that no longer are. */
  count(bytes: number): void
}

/** One connection's use of the relay. The bound on frames in flight limits its memory. */
class Sender {
  readonly #connection: Connection
  readonly #addresses: Addresses
  readonly #underWay = new Tally()
  readonly #shaper: Shaper
  readonly #quota: TokenBucket
  readonly #ofAddress: Shared
  #underWayToAll = 0
  #turn: Promise<void> = Promise.resolve()

  constructor(connection: Connection, addresses: Addresses, limits: Limits, ofAddress: Shared) {
    this.#connection = connection
    this.#addresses = addresses
    this.#shaper = new Shaper(limits.relayRate, performance.now())
    this.#quota = new TokenBucket(limits.relayPerConnection, performance.now())
    this.#ofAddress = ofAddress
  }

  relay(request: Request<"relay">, from: string): Failure | Later<"relay"> {
    const nowMs = performance.now()
    const cost = request.frame.length + RELAY_FRAME_COST_BYTES
    const channel = addressChannel(request.room, request.to)
    const roomBytes = Math.min(
      RELAY_PAIR_WINDOW_BYTES - this.#underWay.of(channel),
      RELAY_WINDOW_BYTES - this.#underWayToAll,
      this.#ofAddress.roomBytes(this.#underWayToAll + cost),
    )
    if (cost > roomBytes) return windowFull
    const charge = request.frame.length + RELAY_FRAME_CHARGE_BYTES
    if (!this.#quota.take(nowMs, charge) || !this.#ofAddress.quota.take(nowMs, charge)) return quotaUsed
    this.#count(channel, cost)
    const waitMs = this.#shaper.waitMs(nowMs, cost)
    return new Later(this.#carry(channel, request, from, waitMs).finally(() => this.#count(channel, -cost)))
  }

  async #carry(channel: string, { room, to, frame }: Request<"relay">, from: string, delayMs: number) {
    const askedAtMs = performance.now()
    // In order, although each waits for a different time: frames must not overtake each other.
    const former = this.#turn
    let begun = () => {}
    this.#turn = new Promise((done) => (begun = done))
    await former
    const waitMs = askedAtMs + delayMs - performance.now()
    if (waitMs > 0) await new Promise((done) => setTimeout(done, waitMs))
    // The sender's timeout counts from its request.
    const forMs = askedAtMs + RELAY_ANSWER_TIMEOUT_MS - performance.now()
    // Also for a sender that has disconnected: its last frames announce that it leaves. Its windows and quotas still
    // bound them.
    const taken = handOver(this.#connection, channel, { room, from, frame }, forMs)
    begun()
    return (await taken) ?? ((await this.#addresses.isHeld(room, to)) ? refused : nobody)
  }

  #count(channel: string, bytes: number): void {
    this.#underWay.add(channel, bytes)
    this.#underWayToAll += bytes
    this.#ofAddress.count(bytes)
  }
}

/**
 * The other client's acknowledgement is the answer, so its backpressure reaches the sender and nothing piles up here.
 * @returns undefined when no client that can be reached has the address
 */
async function handOver(
  { nsp }: Connection,
  channel: string,
  delivery: { readonly room: string; readonly from: string; readonly frame: Uint8Array },
  forMs: number,
): Promise<Reply<"relay"> | undefined> {
  const [holder] = nsp.adapter.rooms.get(channel) ?? []
  const receiver = holder === undefined ? undefined : nsp.sockets.get(holder)
  const timeoutMs = Math.max(1, forMs)
  try {
    const answers: unknown[] =
      receiver === undefined
        ? await nsp.to(channel).timeout(timeoutMs).emitWithAck("relay", delivery)
        : [await here(receiver.timeout(timeoutMs)).emitWithAck("relay", delivery)]
    if (answers.length === 0) return undefined
    const parsed = parse(relayAnswer, answers[0])
    return parsed.ok && parsed.value.taken && answers.length === 1 ? { ok: true } : refused
  } catch {
    // The only rejection of Socket.IO here is a timeout.
    return refused
  }
}

/**
 * Keeps the connection's next packet from Redis, where Socket.IO would store it for a client that returns. Its types
 * hide the flag. A broadcast to this process has it, but searches all connections whenever a frame stays unanswered.
 */
function here<C extends object>(connection: C): C {
  Object.assign((connection as unknown as { readonly flags: object }).flags, { local: true })
  return connection
}

const unproven = refuse("not-proved", "Relaying needs a proof. Enter the room with one.")
const windowFull = refuse("relay-window", "Too many frames are unanswered: wait for answers.")
const quotaUsed = refuse("relay-quota", "The relay quota of this connection or its network address is used up for now.")
const nobody = refuse("unknown-address", "No connection has this address.")
const refused = refuse("relay-refused", "The receiver did not accept the frame.")
