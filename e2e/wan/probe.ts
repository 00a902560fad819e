/**
 * Measures the path to another host of a lab. `probe.ts answer ADDRESS` echoes packets. `probe.ts ask ADDRESS` sends
 * each number that it reads, one a line. It writes "sent NUMBER" when it sends one, and "back NUMBER MILLISECONDS" when
 * the echo arrives.
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
// The parent process is gone.
process.stdin.on("end", () => process.exit()).resume()
