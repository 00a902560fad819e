/**
 * A minimal signalling server: it stores the conferences' descriptors, and relays sealed messages within a room. A real
 * one limits sizes and rates, and deletes a conference when it has expired.
 */
import { WebSocketServer } from "ws"

const server = new WebSocketServer({ port: Number(process.env.PORT ?? 8090) })
const descriptors = new Map()
/** Room to address to connection. */
const rooms = new Map()

const handlers = {
  "conference-create": (_socket, { id, descriptor }) => {
    if (descriptors.has(id)) return { ok: false, code: "conference-exists", message: "The id is taken." }
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
    if (!rooms.has(room)) rooms.set(room, new Map())
    rooms.get(room).set(address, socket)
    return { ok: true }
  },
  "room-leave": (_socket, { room, address }) => void rooms.get(room)?.delete(address),
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
    const command = JSON.parse(String(text))
    const reply = handlers[command.type]?.(socket, command)
    if (command.request === undefined) return
    const unknown = { ok: false, code: "unknown-request", message: "Not here." }
    tell(socket, { type: "bootstrap-reply", request: command.request, reply: reply ?? unknown })
  })
  socket.on("error", () => socket.terminate())
  socket.on("close", () => {
    for (const room of rooms.values()) for (const [address, owner] of room) if (owner === socket) room.delete(address)
  })
})
server.on("listening", () => console.log(`Signalling at ws://localhost:${server.address().port}`))

const tell = (socket, message) => socket.send(JSON.stringify(message))
const addressOf = (socket, room) => [...(rooms.get(room) ?? [])].find(([, owner]) => owner === socket)?.[0]
