import { createHash } from "node:crypto"
import type { Redis } from "ioredis"
import type { Addresses, Entry, Shares, TakeResult } from "../addresses/addresses.ts"

export interface Times {
  /**
   * Lifetime of an address after its last renewal. The addresses of a dead process become free after this time. No
   * client waits for one of them, since a client that enters again takes a new address.
   */
  readonly leaseMs: number
  /** How long a lost connection can be recovered. */
  readonly recoveryMs: number
}

/** Two renewals may fail before a lease expires. */
const RENEWALS_PER_LEASE = 3
const NETWORK_NAME_CHARS = 24
/** Renewals in flight to Redis at once. */
const RENEWALS_TOGETHER = 500

// Each room is one hash: address to "holder expiry kind network state". Kind is "proven" or "unproven"; state is
// "here", or "left" for a lost connection. Times come from the clock of Redis, since those of the processes may differ.
// Expired entries are ignored, and deleted at the next entry. The hash expires with its last lease.
const LIBRARY = `
local clock = redis.call('TIME')
local nowMs = clock[1] * 1000 + math.floor(clock[2] / 1000)
local function parse(value)
  if not value then return nil end
  local holder, expiry, kind, network, state = string.match(value, '^(%S+) (%d+) (%S+) (%S+) (%S+)$')
  if not holder or tonumber(expiry) <= nowMs then return nil end
  return { holder = holder, kind = kind, network = network, state = state }
end
local function find(address)
  return parse(redis.call('HGET', KEYS[1], address))
end
local function lease(address, holder, forMs, kind, network, state)
  local value = string.format('%s %.0f %s %s %s', holder, nowMs + forMs, kind, network, state)
  redis.call('HSET', KEYS[1], address, value)
  if redis.call('PTTL', KEYS[1]) < tonumber(forMs) then redis.call('PEXPIRE', KEYS[1], forMs) end
end
local function makePlace(holder, kind, network, placesMax, perNetworkMax)
  local places, ofNetwork, left = 0, 0, nil
  local all = redis.call('HGETALL', KEYS[1])
  for at = 1, #all, 2 do
    local other = parse(all[at + 1])
    if not other then redis.call('HDEL', KEYS[1], all[at])
    elseif other.kind == kind and other.holder ~= holder then
      places = places + 1
      if other.network == network then
        ofNetwork = ofNetwork + 1
        if other.state == 'left' then left = all[at] end
      end
    end
  end
  if places < tonumber(placesMax) and ofNetwork < tonumber(perNetworkMax) then return true end
  if left then redis.call('HDEL', KEYS[1], left) end
  return left ~= nil
end
`

/** ARGV: address, holder, lease, kind, network, places of the kind, of these for one network, former address or ''. */
const TAKE = `${LIBRARY}
local present = find(ARGV[1])
if present and present.holder ~= ARGV[2] then return 'address-taken' end
if not makePlace(ARGV[2], ARGV[4], ARGV[5], ARGV[6], ARGV[7]) then return 'room-full' end
local former = ARGV[8] ~= '' and find(ARGV[8])
if former and former.holder == ARGV[2] then redis.call('HDEL', KEYS[1], ARGV[8]) end
lease(ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], 'here')
return 'taken'`

/**
 * ARGV: as before, without the former address. A lease stays with the network that took it. A lease that Redis has lost
 * is restored if there is a place, since a holder keeps its address while its connection is open. Returns whether there
 * is a lease now.
 */
const RENEW = `${LIBRARY}
local present = find(ARGV[1])
if present and present.holder ~= ARGV[2] then return 0 end
if not present and not makePlace(ARGV[2], ARGV[4], ARGV[5], ARGV[6], ARGV[7]) then return 0 end
local held = present or { kind = ARGV[4], network = ARGV[5] }
lease(ARGV[1], ARGV[2], ARGV[3], held.kind, held.network, 'here')
return 1`

/** ARGV: address, holder, lease. */
const LEAVE = `${LIBRARY}
local present = find(ARGV[1])
if not present or present.holder ~= ARGV[2] then return end
lease(ARGV[1], ARGV[2], ARGV[3], present.kind, present.network, 'left')`

/** ARGV: address, holder. */
const GIVE = `${LIBRARY}
local present = find(ARGV[1])
if present and present.holder == ARGV[2] then redis.call('HDEL', KEYS[1], ARGV[1]) end`

/** ARGV: address. */
const IS_HELD = `${LIBRARY}
return find(ARGV[1]) and 1 or 0`

const keyOf = (room: string) => `keymoot:room:${room}`
const nameOf = ({ room, address }: Pick<Entry, "room" | "address">) => `${room} ${address}`

/**
 * The pseudonym of a network address in Redis, valid for a lease and different in each room. It only keeps addresses
 * out of sight: IPv4 addresses are few, so a reader of the pseudonym can try them all.
 */
function networkName({ room, network }: Entry): string {
  return createHash("sha256").update(`${room} ${network}`).digest("hex").slice(0, NETWORK_NAME_CHARS)
}

/**
 * The addresses of all processes that share one Redis. Each process holds leases for the addresses of its connections.
 */
export class RedisAddresses implements Addresses {
  readonly #redis: Redis
  readonly #shares: Shares
  readonly #times: Times
  /** The entries of this process's connections, whose leases it renews. */
  readonly #own = new Map<string, Entry>()
  readonly #renewing: NodeJS.Timeout
  readonly #renewNow = () => void this.#renewAll()
  #lost: (holder: string) => void = () => {}

  constructor(redis: Redis, shares: Shares, times: Times) {
    this.#redis = redis
    this.#shares = shares
    this.#times = times
    // Redis may have lost leases, or they may have expired while it was unreachable.
    redis.on("ready", this.#renewNow)
    this.#renewing = setInterval(() => void this.#renewAll(), times.leaseMs / RENEWALS_PER_LEASE).unref()
  }

  async take(entry: Entry, former: string | undefined): Promise<TakeResult> {
    const args = [...this.#claimOf(entry), former === entry.address ? "" : (former ?? "")]
    const taking = (await this.#redis.eval(TAKE, 1, keyOf(entry.room), ...args)) as TakeResult
    if (taking !== "taken") return taking
    if (former !== undefined) this.#own.delete(nameOf({ ...entry, address: former }))
    this.#own.set(nameOf(entry), entry)
    return "taken"
  }

  async give(entry: Entry): Promise<void> {
    this.#own.delete(nameOf(entry))
    await this.#redis.eval(GIVE, 1, keyOf(entry.room), entry.address, entry.holder)
  }

  async isHeld(room: string, address: string): Promise<boolean> {
    return this.#own.has(nameOf({ room, address })) || (await this.#isHeldElsewhere(room, address))
  }

  async entriesIn(room: string): Promise<number> {
    // While Redis is unreachable, nothing reaches the other processes.
    const own = () => [...this.#own.values()].filter((entry) => entry.room === room).length
    return this.#redis.hlen(keyOf(room)).catch(own)
  }

  async leave(entry: Entry): Promise<void> {
    this.#own.delete(nameOf(entry))
    const { room, address, holder } = entry
    await this.#redis.eval(LEAVE, 1, keyOf(room), address, holder, this.#times.recoveryMs)
  }

  adopt(entry: Entry): void {
    this.#own.set(nameOf(entry), entry)
    // At once: another client of its network may have taken its place. If this fails, the next interval renews it.
    this.#renew(entry).catch(() => {})
  }

  onLost(listener: (holder: string) => void): void {
    this.#lost = listener
  }

  close(): void {
    this.#redis.off("ready", this.#renewNow)
    clearInterval(this.#renewing)
  }

  async #isHeldElsewhere(room: string, address: string): Promise<boolean> {
    return (await this.#redis.eval(IS_HELD, 1, keyOf(room), address)) === 1
  }

  #claimOf(entry: Entry): (string | number)[] {
    const kind = entry.proven ? "proven" : "unproven"
    const { placesMax, perNetworkMax } = this.#shares[kind]
    return [entry.address, entry.holder, this.#times.leaseMs, kind, networkName(entry), placesMax, perNetworkMax]
  }

  async #renew(entry: Entry): Promise<void> {
    // It may have been given up, or taken again, while others were renewed.
    if (this.#own.get(nameOf(entry)) !== entry) return
    if ((await this.#redis.eval(RENEW, 1, keyOf(entry.room), ...this.#claimOf(entry))) === 1) return
    if (this.#own.get(nameOf(entry)) !== entry) return
    this.#own.delete(nameOf(entry))
    this.#lost(entry.holder)
  }

  async #renewAll(): Promise<void> {
    const entries = [...this.#own.values()]
    for (let at = 0; at < entries.length; at += RENEWALS_TOGETHER) {
      const together = entries.slice(at, at + RENEWALS_TOGETHER)
      // Failed renewals are repeated at the next interval.
      await Promise.allSettled(together.map((entry) => this.#renew(entry)))
    }
  }
}
