/**
 * A minimal signalling server: it stores the conferences' descriptors, and relays sealed messages within a room. It drops
 * what it does not understand. A real one also limits rates, and deletes a conference when it has expired.
 */
import { WebSocketServer } from "ws"

/** Above a bound, a request is refused. A connection that sends a larger message ends. */
const MESSAGE_BYTES_MAX = 256 * 1024
const CONFERENCES_MAX = 1000
const ROOMS_MAX = 1000
const ROOM_ADDRESSES_MAX = 256
const SOCKET_ADDRESSES_MAX = 32
/** Characters of an id, a room and an address, which the server keeps. */
const NAME_LENGTH_MAX = 256

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
    const owner = members.get(address)
    if (owner === socket) return { ok: true }
    // Nobody takes the address of another connection.
    if (owner) return { ok: false, code: "address-taken", message: "Taken." }
    if (rooms.size >= ROOMS_MAX && members.size === 0) return full
    if (members.size >= ROOM_ADDRESSES_MAX || socket.addresses >= SOCKET_ADDRESSES_MAX) return full
    rooms.set(room, members.set(address, socket))
    socket.addresses++
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
  socket.addresses = 0
  socket.on("message", (text) => {
    // One message of a stranger must not end the server.
    try {
      const command = JSON.parse(String(text))
      if (isCommand(command)) handle(socket, command)
    } catch {
      // Nobody waits for an answer to this.
    }
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
  const members = rooms.get(room)
  members.get(address).addresses--
  members.delete(address)
  if (members.size === 0) rooms.delete(room)
}
const handle = (socket, command) => {
  const reply = Object.hasOwn(handlers, command.type) ? handlers[command.type](socket, command) : undefined
  if (command.request === undefined) return
  const unknown = { ok: false, code: "unknown-request", message: "Not here." }
  tell(socket, { type: "bootstrap-reply", request: command.request, reply: reply ?? unknown })
}
/** Keymoot's commands have strings and numbers only. Anything nested could exhaust the stack when it is sent on. */
const isCommand = (value) =>
  typeof value?.type === "string" &&
  Object.values(value).every((field) => typeof field === "string" || typeof field === "number") &&
  [value.id, value.room, value.address].every((name = "") => String(name).length <= NAME_LENGTH_MAX)
const tell = (socket, message) => socket.send(JSON.stringify(message))
const addressOf = (socket, room) => [...(rooms.get(room) ?? [])].find(([, owner]) => owner === socket)?.[0]
