import {
  type Failure,
  parse,
  RELAY_ANSWER_TIMEOUT_MS,
  RELAY_FRAME_COST_BYTES,
  RELAY_PAIR_WINDOW_BYTES,
  RELAY_WINDOW_BYTES,
  relayAnswer,
  type Reply,
  type Request,
} from "@keymoot/transport/signaling-protocol"
import { addressChannel } from "./channels.ts"
import { type Connection, type Handlers, Later, notInRoom, refuse } from "./connection.ts"
import type { Limits } from "./limits.ts"
import { Pace, type Rate, TokenBucket } from "./token-bucket.ts"

/**
 * Frames between two members in one room, through this server. Anybody may make a conference, so anybody may use this to
 * move bytes between two places: hence a rate and a quota, which no number of rooms and no new connection makes larger.
 */
export function relayHandlers(
  limits: Limits,
  addressOf: (connection: Connection) => string,
  addressScale: number,
): Pick<Handlers, "relay"> {
  const senders = new WeakMap<Connection, Sender>()
  const { burst, perSecond } = limits.relayPerAddress
  const quotas = new Quotas({ burst: burst * addressScale, perSecond: perSecond * addressScale })
  const senderOf = (connection: Connection): Sender => {
    const known = senders.get(connection) ?? new Sender(connection, limits, quotas.of(addressOf(connection)))
    senders.set(connection, known)
    return known
  }
  return {
    relay: (connection, request) => {
      const from = connection.data.entries[request.room]
      return from === undefined ? notInRoom : senderOf(connection).relay(request, from)
    },
  }
}

/** One connection's use of the relay. What it may have under way at once bounds the memory that it costs. */
class Sender {
  readonly #connection: Connection
  readonly #underWay = new Map<string, number>()
  readonly #pace: Pace
  readonly #quota: TokenBucket
  readonly #quotaOfAddress: TokenBucket
  #underWayToAll = 0
  #turn: Promise<void> = Promise.resolve()

  constructor(connection: Connection, limits: Limits, quotaOfAddress: TokenBucket) {
    this.#connection = connection
    this.#pace = new Pace(limits.relayRate, performance.now())
    this.#quota = new TokenBucket(limits.relayPerConnection, performance.now())
    this.#quotaOfAddress = quotaOfAddress
  }

  relay(request: Request<"relay">, from: string): Failure | Later<"relay"> {
    const nowMs = performance.now()
    const cost = request.frame.length + RELAY_FRAME_COST_BYTES
    const channel = addressChannel(request.room, request.to)
    const underWay = (this.#underWay.get(channel) ?? 0) + cost
    if (underWay > RELAY_PAIR_WINDOW_BYTES || this.#underWayToAll + cost > RELAY_WINDOW_BYTES) return windowFull
    if (!this.#quota.take(nowMs, cost) || !this.#quotaOfAddress.take(nowMs, cost)) return quotaUsed
    this.#underWay.set(channel, underWay)
    this.#underWayToAll += cost
    const waitMs = this.#pace.waitMs(nowMs, cost)
    return new Later(this.#carry(channel, request, from, cost, waitMs))
  }

  async #carry(channel: string, { room, frame }: Request<"relay">, from: string, cost: number, paceMs: number) {
    const askedAtMs = performance.now()
    // In turn, whatever each has to wait: frames must not overtake each other.
    const former = this.#turn
    let begun = () => {}
    this.#turn = new Promise((done) => (begun = done))
    await former
    const waitMs = askedAtMs + paceMs - performance.now()
    if (waitMs > 0) await new Promise((done) => setTimeout(done, waitMs))
    // The sender has been promised an answer by a time that counts from its question.
    const forMs = askedAtMs + RELAY_ANSWER_TIMEOUT_MS - performance.now()
    const taken = this.#connection.connected ? handOver(this.#connection, channel, { room, from, frame }, forMs) : gone
    begun()
    const reply = await taken
    const left = (this.#underWay.get(channel) ?? 0) - cost
    if (left > 0) this.#underWay.set(channel, left)
    else this.#underWay.delete(channel)
    this.#underWayToAll -= cost
    return reply
  }
}

/** The other client's word is the answer: its own back-pressure reaches the sender, and nothing piles up between. */
async function handOver(
  connection: Connection,
  channel: string,
  delivery: { readonly room: string; readonly from: string; readonly frame: Uint8Array },
  forMs: number,
): Promise<Reply<"relay">> {
  const { nsp } = connection
  const here = nsp.adapter.rooms.has(channel)
  const way = (here ? nsp.local : nsp).to(channel).timeout(Math.max(1, forMs))
  try {
    const [answer, ...more]: unknown[] = await way.emitWithAck("relay", delivery)
    if (answer === undefined) return nobody
    const parsed = parse(relayAnswer, answer)
    return parsed.ok && parsed.value.taken && more.length === 0 ? { ok: true } : refused
  } catch {
    // Socket.IO's only rejection here: no answer in time.
    return refused
  }
}

/** What each network address has relayed lately, over all its connections, so that a new one does not begin afresh. */
class Quotas {
  readonly #rate: Rate
  readonly #buckets = new Map<string, TokenBucket>()

  constructor(rate: Rate) {
    this.#rate = rate
  }

  of(address: string): TokenBucket {
    const nowMs = performance.now()
    const known = this.#buckets.get(address)
    if (known !== undefined) return known
    if (this.#buckets.size >= ADDRESSES_MAX) {
      for (const [key, bucket] of this.#buckets) if (bucket.isFull(nowMs)) this.#buckets.delete(key)
    }
    const bucket = new TokenBucket(this.#rate, nowMs)
    // Beyond the bound a newcomer has a quota that nobody remembers: its connection's own holds all the same.
    if (this.#buckets.size < ADDRESSES_MAX) this.#buckets.set(address, bucket)
    return bucket
  }
}

/** Network addresses whose use is remembered; those whose quota is whole again make room. */
const ADDRESSES_MAX = 50_000

const windowFull = refuse("relay-window", "Too many frames are unanswered: wait for answers.")
const quotaUsed = refuse("relay-quota", "This connection or its network address has relayed its share for now.")
const nobody = refuse("unknown-address", "Nobody is at this address.")
const refused = refuse("relay-refused", "The other end did not take the frame.")
const gone = Promise.resolve(nobody)
