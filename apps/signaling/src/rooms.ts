import type { Reply } from "@keymoot/transport/signaling-protocol"
import type { Logger } from "pino"
import type { Addresses, Entry } from "./addresses.ts"
import { addressChannel, roomChannel } from "./channels.ts"
import { type Connection, type Handlers, notInRoom, refuse } from "./connection.ts"
import type { Limits } from "./limits.ts"
import type { Store } from "./store/store.ts"

type RoomRequest = "room:enter" | "room:leave" | "room:advertise" | "signal"

/** The emulated bus of each conference and the way to its single addresses. */
export function roomHandlers(store: Store, addresses: Addresses, limits: Limits): Pick<Handlers, RoomRequest> {
  return {
    "room:enter": async (connection, { room, address }) => {
      if (!(await store.hasConference(room, Date.now()))) {
        return refuse("unknown-conference", "The server knows no such conference.")
      }
      const { entries } = connection.data
      if (entries[room] === undefined && Object.keys(entries).length >= limits.roomsPerConnectionMax) {
        return refuse("too-many-rooms", "Leave another room first.")
      }
      return enter(connection, addresses, { room, address, holder: connection.id })
    },

    "room:leave": async (connection, { room }) => {
      const address = connection.data.entries[room]
      if (address === undefined) return notInRoom
      delete connection.data.entries[room]
      void connection.leave(addressChannel(room, address))
      void connection.leave(roomChannel(room))
      await addresses.give({ room, address, holder: connection.id })
      return { ok: true }
    },

    "room:advertise": (connection, { room, advertisement }) => {
      const from = connection.data.entries[room]
      if (from === undefined) return notInRoom
      connection.to(roomChannel(room)).emit("room:advertise", { room, from, advertisement })
      return { ok: true }
    },

    signal: async (connection, { room, to, envelope }) => {
      const from = connection.data.entries[room]
      if (from === undefined) return notInRoom
      if (!(await addresses.isHeld(room, to))) return refuse("unknown-address", "Nobody is at this address.")
      connection.nsp.to(addressChannel(room, to)).emit("signal", { room, from, envelope })
      return { ok: true }
    },
  }
}

async function enter(connection: Connection, addresses: Addresses, entry: Entry): Promise<Reply<"room:enter">> {
  const { room, address } = entry
  const former = connection.data.entries[room]
  const taking = await addresses.take(entry, former)
  if (taking === "address-taken") return refuse("address-taken", "Choose another address.")
  if (taking === "room-full") return refuse("room-full", "The room is full.")
  // A connection that closed while its request waited must not leave a ghost behind.
  if (!connection.connected) {
    await addresses.give(entry)
    return { ok: true }
  }
  if (former !== undefined && former !== address) void connection.leave(addressChannel(room, former))
  connection.data.entries[room] = address
  void connection.join([roomChannel(room), addressChannel(room, address)])
  return { ok: true }
}

/** Its client has said good-bye, or was told to go: nobody comes back. */
const LAST_WORDS = new Set<string>(["client namespace disconnect", "server namespace disconnect"])

/** A new connection, or one that was recovered and has its entries already. When it goes, so do they. */
export function welcome(connection: Connection, addresses: Addresses, log: Logger): void {
  const entries = () =>
    Object.entries(connection.data.entries).map(([room, address]) => ({ room, address, holder: connection.id }))
  if (connection.recovered) for (const entry of entries()) addresses.adopt(entry)
  else connection.data = { entries: {} }
  connection.on("disconnect", (reason) => {
    const forGood = LAST_WORDS.has(reason)
    for (const entry of entries()) {
      // What fails here runs out by itself.
      void (forGood ? addresses.give(entry) : addresses.leave(entry)).catch((error: unknown) =>
        log.warn({ err: error }, "an address was not given back"),
      )
    }
  })
}
