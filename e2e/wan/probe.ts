/**
 * What the way to another host of a lab is like. `probe.ts answer ADDRESS` sends back what comes; `probe.ts ask ADDRESS` sends
 * each number that it reads, a line each, writes "sent NUMBER" then, and "back NUMBER MILLISECONDS" when that one has come back.
 */
import { createSocket } from "node:dgram"
import { createInterface } from "node:readline"

const PORT = 7077
const [role, address] = process.argv.slice(2)
if (address === undefined || (role !== "answer" && role !== "ask")) throw new Error("probe.ts answer|ask ADDRESS")

const socket = createSocket("udp4")
const say = (line: string): void => void process.stdout.write(`${line}\n`)
if (role === "answer") {
  socket.on("message", (message, from) => socket.send(message, from.port, from.address))
  socket.bind(PORT, address, () => say("ready"))
} else {
  const sentMs = new Map<string, number>()
  socket.on("message", (message) => {
    const number = message.toString()
    say(`back ${number} ${performance.now() - sentMs.get(number)!}`)
  })
  createInterface({ input: process.stdin }).on("line", (number) => {
    sentMs.set(number, performance.now())
    socket.send(number, PORT, address, () => say(`sent ${number}`))
  })
  say("ready")
}
// Whoever started it is gone.
process.stdin.on("end", () => process.exit()).resume()
