import type { Redis } from "ioredis"
import type { Addresses, Entry, Taking } from "../addresses.ts"

export interface Times {
  /**
   * An address is held for so long after its holder's process last said so. A process that dies says nothing more, and its
   * addresses are free that much later; nobody waits for one of them, since whoever enters again takes a fresh one.
   */
  readonly leaseMs: number
  /** How long a lost connection can be recovered. */
  readonly recoveryMs: number
}

/** Two may fail before a lease runs out. */
const RENEWALS_PER_LEASE = 3
/** Renewals on their way to Redis at once. */
const RENEWALS_TOGETHER = 500

// Each room is one hash: address to "holder expiry". The clock is Redis's, for those of the processes may differ. What has
// expired counts for nothing and is deleted when the room seems full; the hash goes with the last lease in it.
const LIBRARY = `
local clock = redis.call('TIME')
local nowMs = clock[1] * 1000 + math.floor(clock[2] / 1000)
local function holder(address)
  local value = redis.call('HGET', KEYS[1], address)
  if not value then return nil end
  local name, expiry = string.match(value, '^(%S+) (%d+)$')
  if tonumber(expiry) <= nowMs then return nil end
  return name
end
local function lease(address, name, forMs)
  redis.call('HSET', KEYS[1], address, string.format('%s %.0f', name, nowMs + forMs))
  if redis.call('PTTL', KEYS[1]) < tonumber(forMs) then redis.call('PEXPIRE', KEYS[1], forMs) end
end
`

/** ARGV: address, holder, former address or '', lease, members at most. */
const TAKE = `${LIBRARY}
local present = holder(ARGV[1])
if present and present ~= ARGV[2] then return 'address-taken' end
local returns = ARGV[3] ~= '' and holder(ARGV[3]) == ARGV[2]
if not present and not returns and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[5]) then
  for _, address in ipairs(redis.call('HKEYS', KEYS[1])) do
    if not holder(address) then redis.call('HDEL', KEYS[1], address) end
  end
  if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[5]) then return 'room-full' end
end
if returns then redis.call('HDEL', KEYS[1], ARGV[3]) end
lease(ARGV[1], ARGV[2], ARGV[4])
return 'taken'`

/** ARGV: address, holder, lease. Also when Redis has lost it: a holder is a holder as long as its connection stands. */
const RENEW = `${LIBRARY}
local present = holder(ARGV[1])
if not present or present == ARGV[2] then lease(ARGV[1], ARGV[2], ARGV[3]) end`

/** ARGV: address, holder. */
const GIVE = `${LIBRARY}
if holder(ARGV[1]) == ARGV[2] then redis.call('HDEL', KEYS[1], ARGV[1]) end`

/** ARGV: address. */
const IS_HELD = `${LIBRARY}
return holder(ARGV[1]) and 1 or 0`

const keyOf = (room: string) => `keymoot:room:${room}`
const nameOf = ({ room, address }: Entry) => `${room} ${address}`

/** The addresses of all processes that share one Redis: each holds those of its connections on a lease. */
export class RedisAddresses implements Addresses {
  readonly #redis: Redis
  readonly #membersPerRoomMax: number
  readonly #times: Times
  /** What this process renews: the entries of its connections. */
  readonly #own = new Map<string, Entry>()
  readonly #renewing: NodeJS.Timeout

  constructor(redis: Redis, membersPerRoomMax: number, times: Times) {
    this.#redis = redis
    this.#membersPerRoomMax = membersPerRoomMax
    this.#times = times
    this.#renewing = setInterval(() => void this.#renewAll(), times.leaseMs / RENEWALS_PER_LEASE).unref()
  }

  async take(entry: Entry, former: string | undefined): Promise<Taking> {
    const { room, address, holder } = entry
    const args = [
      address,
      holder,
      former === address ? "" : (former ?? ""),
      this.#times.leaseMs,
      this.#membersPerRoomMax,
    ]
    const taking = (await this.#redis.eval(TAKE, 1, keyOf(room), ...args)) as Taking
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
    return this.#own.has(nameOf({ room, address, holder: "" })) || (await this.#isHeldElsewhere(room, address))
  }

  async leave(entry: Entry): Promise<void> {
    this.#own.delete(nameOf(entry))
    await this.#renew(entry, this.#times.recoveryMs)
  }

  adopt(entry: Entry): void {
    this.#own.set(nameOf(entry), entry)
  }

  close(): void {
    clearInterval(this.#renewing)
  }

  async #isHeldElsewhere(room: string, address: string): Promise<boolean> {
    return (await this.#redis.eval(IS_HELD, 1, keyOf(room), address)) === 1
  }

  async #renew({ room, address, holder }: Entry, forMs: number): Promise<void> {
    await this.#redis.eval(RENEW, 1, keyOf(room), address, holder, forMs)
  }

  async #renewAll(): Promise<void> {
    const entries = [...this.#own.values()]
    for (let at = 0; at < entries.length; at += RENEWALS_TOGETHER) {
      const together = entries.slice(at, at + RENEWALS_TOGETHER)
      // Those that fail are renewed the next time.
      await Promise.allSettled(together.map((entry) => this.#renew(entry, this.#times.leaseMs)))
    }
  }
}
