import type { Failure } from "@keymoot/transport/signaling-protocol"
import { type Connection, type Handlers, refuse } from "./connection.ts"
import type { Limits } from "./limits.ts"
import type { Store } from "./store/store.ts"

// Socket.IO's rooms carry both a conference's room and, as a room of one, each address in it. So the adapter holds all
// shared state, forgets a connection when it closes, and can be replaced by one that spans processes. The prefixes keep
// both apart from the room that Socket.IO makes for every connection under its id.
const roomChannel = (room: string) => `room:${room}`
const addressChannel = (room: string, address: string) => `address:${room}:${address}`

type RoomRequest = "room:enter" | "room:leave" | "room:advertise" | "signal"

/** The emulated bus of each conference and the way to its single addresses. */
export function roomHandlers(store: Store, limits: Limits): Pick<Handlers, RoomRequest> {
  return {
    "room:enter": async (connection, { room, address }) => {
      if (!(await store.hasConference(room, Date.now()))) {
        return refuse("unknown-conference", "The server knows no such conference.")
      }
      // No await from here on: between the look at the room and the joining of it nobody else may come in.
      return mayEnter(connection, room, address, limits) ?? enter(connection, room, address)
    },

    "room:leave": (connection, { room }) => {
      const address = connection.data.entries.get(room)
      if (address === undefined) return notInRoom
      connection.data.entries.delete(room)
      void connection.leave(addressChannel(room, address))
      void connection.leave(roomChannel(room))
      return { ok: true }
    },

    "room:advertise": (connection, { room, advertisement }) => {
      const from = connection.data.entries.get(room)
      if (from === undefined) return notInRoom
      connection.to(roomChannel(room)).emit("room:advertise", { room, from, advertisement })
      return { ok: true }
    },

    signal: (connection, { room, to, envelope }) => {
      const from = connection.data.entries.get(room)
      if (from === undefined) return notInRoom
      const channel = addressChannel(room, to)
      if (!connection.nsp.adapter.rooms.has(channel)) return refuse("unknown-address", "Nobody is at this address.")
      connection.nsp.to(channel).emit("signal", { room, from, envelope })
      return { ok: true }
    },
  }
}

const notInRoom: Failure = refuse("not-in-room", "Enter the room first.")

function mayEnter(connection: Connection, room: string, address: string, limits: Limits): Failure | undefined {
  const { entries } = connection.data
  const present = connection.nsp.adapter.rooms
  const holders = present.get(addressChannel(room, address))
  if (holders !== undefined && !holders.has(connection.id)) return refuse("address-taken", "Choose another address.")
  if (entries.has(room)) return undefined
  if (entries.size >= limits.roomsPerConnectionMax) return refuse("too-many-rooms", "Leave another room first.")
  const members = present.get(roomChannel(room))?.size ?? 0
  if (members >= limits.membersPerRoomMax) return refuse("room-full", "The room is full.")
  return undefined
}

function enter(connection: Connection, room: string, address: string): { ok: true } {
  // A connection that closed while its request waited must not leave a ghost behind.
  if (!connection.connected) return { ok: true }
  const { entries } = connection.data
  const former = entries.get(room)
  if (former !== undefined && former !== address) void connection.leave(addressChannel(room, former))
  entries.set(room, address)
  void connection.join([roomChannel(room), addressChannel(room, address)])
  return { ok: true }
}
