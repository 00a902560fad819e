import type { Reply } from "@keymoot/transport/signaling-protocol"
import type { Logger } from "pino"
import type { Addresses, Entry } from "../addresses/addresses.ts"
import { addressChannel, roomChannel } from "./channels.ts"
import { type Connection, type Handlers, notInRoom, type Place, refuse } from "../connection.ts"
import type { Limits } from "../bounds/limits.ts"
import type { Metrics } from "../web/metrics.ts"
import { Quotas } from "../bounds/quotas.ts"
import { isRoomProof } from "./room-proof.ts"
import type { Store } from "../store/store.ts"

/** Rooms with a remembered rate of unproven clients. Beyond, unproven clients of further rooms are refused. */
const UNPROVEN_ROOMS_MAX = 10_000

type RoomRequest = "room:enter" | "room:leave" | "room:advertise" | "signal"
export type AddressOf = (connection: Connection) => string

interface Surroundings {
  readonly store: Store
  readonly addresses: Addresses
  readonly limits: Limits
  readonly metrics: Metrics
  readonly addressOf: AddressOf
  readonly addressScale: number
}

/** The emulated bus of each conference, and signals to single addresses. */
export function roomHandlers(surroundings: Surroundings): Pick<Handlers, RoomRequest> {
  const { store, addresses, limits, metrics, addressOf, addressScale } = surroundings
  const fanOut = new Quotas(limits.fanOut, addressScale)
  const maySpread = (connection: Connection, byteCount: number) =>
    fanOut.of(addressOf(connection)).take(performance.now(), byteCount)
  // Each message costs every member a MAC, so all unproven clients of a room share one rate.
  const unproven = new Quotas(limits.unprovenTraffic, 1, UNPROVEN_ROOMS_MAX)
  const maySend = (room: string, { proven }: Place) => proven || unproven.find(room)?.take(performance.now()) === true
  return {
    "room:enter": async (connection, { room, address, proof }) => {
      const verifier = await store.findVerifier(room, Date.now())
      if (verifier === undefined) return refuse("unknown-conference", "The server knows no such conference.")
      const { entries } = connection.data
      if (entries[room] === undefined && Object.keys(entries).length >= limits.roomsPerConnectionMax) {
        return refuse("too-many-rooms", "Leave another room first.")
      }
      const proven = verifier !== null && proof !== undefined
      const entry = { room, address, holder: connection.id, proven, network: addressOf(connection) }
      if (proven && !isRoomProof(verifier, entry, proof)) {
        return refuse("bad-proof", "The proof is not for this conference, address and connection.")
      }
      const reply = await enter(connection, addresses, entry)
      if (reply.ok) metrics.entered(proven)
      return reply
    },

    "room:leave": async (connection, { room }) => {
      const place = connection.data.entries[room]
      if (place === undefined) return notInRoom
      delete connection.data.entries[room]
      void connection.leave(addressChannel(room, place.address))
      void connection.leave(roomChannel(room))
      await addresses.give({ room, ...place, holder: connection.id, network: addressOf(connection) })
      return { ok: true }
    },

    "room:advertise": async (connection, { room, advertisement }) => {
      const place = connection.data.entries[room]
      if (place === undefined) return notInRoom
      if (!maySend(room, place)) return tooMuchUnproven
      const receivers = await addresses.entriesIn(room)
      if (!maySpread(connection, advertisement.length * receivers)) return tooMuchSpread
      connection.to(roomChannel(room)).emit("room:advertise", { room, from: place.address, advertisement })
      return { ok: true }
    },

    signal: async (connection, { room, to, envelope }) => {
      const place = connection.data.entries[room]
      if (place === undefined) return notInRoom
      if (!maySend(room, place)) return tooMuchUnproven
      if (!(await addresses.isHeld(room, to))) return refuse("unknown-address", "No connection has this address.")
      if (!maySpread(connection, envelope.length)) return tooMuchSpread
      connection.nsp.to(addressChannel(room, to)).emit("signal", { room, from: place.address, envelope })
      return { ok: true }
    },
  }
}

const tooMuchUnproven = refuse("rate-limited", "The unproven clients of this room exceed their rate.")

const tooMuchSpread = refuse("rate-limited", "This network address exceeds its rate of bytes to rooms.")

async function enter(connection: Connection, addresses: Addresses, entry: Entry): Promise<Reply<"room:enter">> {
  const { room, address, proven } = entry
  const former = connection.data.entries[room]?.address
  const taking = await addresses.take(entry, former)
  if (taking === "address-taken") return refuse("address-taken", "Choose another address.")
  if (taking === "room-full") return refuse("room-full", "The room has no free place for this client. Try again later.")
  // A connection that closed while its request was queued must not leave an entry behind.
  if (!connection.connected) {
    await addresses.give(entry)
    return { ok: true }
  }
  if (former !== undefined && former !== address) void connection.leave(addressChannel(room, former))
  connection.data.entries[room] = { address, proven }
  void connection.join([roomChannel(room), addressChannel(room, address)])
  return { ok: true }
}

/** Reasons after which a client does not return: it has left, or was dismissed. */
const LAST_WORDS = new Set<string>(["client namespace disconnect", "server namespace disconnect"])

/** Handles a new connection, or a recovered one that already has its entries. Its entries end with it. */
export function welcome(connection: Connection, addresses: Addresses, addressOf: AddressOf, log: Logger): void {
  const stay = { holder: connection.id, network: addressOf(connection) }
  const entries = () => Object.entries(connection.data.entries).map(([room, place]) => ({ room, ...place, ...stay }))
  if (connection.recovered) for (const entry of entries()) addresses.adopt(entry)
  else connection.data = { entries: {} }
  connection.on("disconnect", (reason) => {
    const forGood = LAST_WORDS.has(reason)
    for (const entry of entries()) {
      // If this fails, the lease expires by itself.
      void (forGood ? addresses.give(entry) : addresses.leave(entry)).catch((error: unknown) =>
        log.warn({ err: error }, "an address was not released"),
      )
    }
  })
}
