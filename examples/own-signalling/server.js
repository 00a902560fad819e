/**
 * A minimal signalling server: it stores the conferences' descriptors, and relays sealed messages within a room. It drops
 * what it does not understand. A real one also limits rates, and deletes a conference when it has expired.
 */
import { WebSocketServer } from "ws"

/** Bytes of a message, conferences, and rooms. Above a bound, a request is refused. */
const MESSAGE_BYTES_MAX = 256 * 1024
const CONFERENCES_MAX = 1000
const ROOMS_MAX = 1000

const server = new WebSocketServer({ port: Number(process.env.PORT ?? 8090), maxPayload: MESSAGE_BYTES_MAX })
const descriptors = new Map()
/** Room to address to connection. */
const rooms = new Map()

const handlers = {
  "conference-create": (_socket, { id, descriptor }) => {
    if (descriptors.has(id)) return { ok: false, code: "conference-exists", message: "The id is taken." }
    if (descriptors.size >= CONFERENCES_MAX) return full
    descriptors.set(id, descriptor)
    return { ok: true }
  },
  "conference-get": (_socket, { id }) => {
    const descriptor = descriptors.get(id)
    return descriptor
      ? { ok: true, descriptor }
      : { ok: false, code: "unknown-conference", message: "None of that id." }
  },
  "room-enter": (socket, { room, address }) => {
    const members = rooms.get(room) ?? new Map()
    if (rooms.size >= ROOMS_MAX && members.size === 0) return full
    // Nobody takes the address of another connection.
    if ((members.get(address) ?? socket) !== socket) return { ok: false, code: "address-taken", message: "Taken." }
    rooms.set(room, members.set(address, socket))
    return { ok: true }
  },
  "room-leave": (socket, { room, address }) => {
    if (rooms.get(room)?.get(address) === socket) leave(room, address)
  },
  "room-advertise": (socket, { room, advertisement }) => {
    const from = addressOf(socket, room)
    for (const [address, other] of rooms.get(room) ?? [])
      if (from && address !== from) tell(other, { type: "room-advertisement", room, from, advertisement })
  },
  "room-signal": (socket, { room, to, envelope }) => {
    const from = addressOf(socket, room)
    const other = rooms.get(room)?.get(to)
    // `from` is what the server knows, never what the sender says.
    if (from && other) tell(other, { type: "room-signal", room, from, envelope })
  },
}

server.on("connection", (socket) => {
  socket.on("message", (text) => {
    const command = commandIn(text)
    if (command === null) return
    const reply = Object.hasOwn(handlers, command.type) ? handlers[command.type](socket, command) : undefined
    if (command.request === undefined) return
    const unknown = { ok: false, code: "unknown-request", message: "Not here." }
    tell(socket, { type: "bootstrap-reply", request: command.request, reply: reply ?? unknown })
  })
  socket.on("error", () => socket.terminate())
  socket.on("close", () => {
    for (const [room, members] of rooms)
      for (const [address, owner] of members) if (owner === socket) leave(room, address)
  })
})
server.on("listening", () => console.log(`Signalling at ws://localhost:${server.address().port}`))

const full = { ok: false, code: "storage-full", message: "There is no room for more." }
const leave = (room, address) => {
  rooms.get(room).delete(address)
  if (rooms.get(room).size === 0) rooms.delete(room)
}
/** Null for anything else: one message of a stranger must not end the server. */
const commandIn = (text) => {
  try {
    const command = JSON.parse(String(text))
    return typeof command === "object" ? command : null
  } catch {
    return null
  }
}
const tell = (socket, message) => socket.send(JSON.stringify(message))
const addressOf = (socket, room) => [...(rooms.get(room) ?? [])].find(([, owner]) => owner === socket)?.[0]
