/**
 * Finds out what a NAT does to UDP. `nat-probe.ts answer ADDRESS` runs in the public network. `nat-probe.ts ask ADDRESS`
 * runs behind the NAT and writes one line of JSON, see `NatBehaviour`.
 */
import { createSocket, type Socket } from "node:dgram"
import { once } from "node:events"
import { connect, createServer } from "node:net"

/** Observed by the host behind the NAT. */
export type NatBehaviour = {
  /** Public ports of one socket, as two peers see it; empty without UDP. */
  readonly ports: readonly number[]
  /** A third peer, which the host has sent nothing, reaches that socket. */
  readonly takesFromAnybody: boolean
}

const [PORT, OTHER_PORT, STRANGER_PORT] = [7177, 7178, 7179]
const [STRANGER, YES] = ["stranger", "yes"]
const [role, address] = process.argv.slice(2)
if (address === undefined || (role !== "answer" && role !== "ask")) throw new Error("nat-probe.ts answer|ask ADDRESS")

async function bound(port: number): Promise<Socket> {
  const socket = createSocket("udp4").bind(port, role === "answer" ? address : "0.0.0.0")
  await once(socket, "listening")
  return socket
}

/**
 * Each datagram is answered with its public port, after a datagram from a stranger. A TCP connection learns whether a
 * datagram came from its address.
 */
async function answer(): Promise<void> {
  const stranger = await bound(STRANGER_PORT)
  const senders = new Set<string>()
  for (const port of [PORT, OTHER_PORT]) {
    const socket = await bound(port)
    socket.on("message", (_message, from) => {
      senders.add(from.address)
      stranger.send(STRANGER, from.port, from.address, () => socket.send(`${from.port}`, from.port, from.address))
    })
  }
  const server = createServer((client) => client.end(senders.has(client.remoteAddress!) ? YES : "no"))
  server.listen(PORT, address, () => process.stdout.write("ready\n"))
}

async function ask(): Promise<void> {
  const socket = await bound(0)
  const heard: string[] = []
  socket.on("message", (message) => heard.push(message.toString()))
  const ports = () => heard.filter((text) => text !== STRANGER).map(Number)
  for (const [asked, port] of [PORT, OTHER_PORT].entries()) {
    socket.send("", port, address)
    if (!(await isReceived())) break
    while (ports().length <= asked) await once(socket, "message")
  }
  const behaviour: NatBehaviour = { ports: ports(), takesFromAnybody: heard.includes(STRANGER) }
  process.stdout.write(`${JSON.stringify(behaviour)}\n`)
  socket.close()
}

/** Whether the other end has a datagram of this host. TCP asks after it, through the same devices. */
async function isReceived(): Promise<boolean> {
  const [told] = (await once(connect(PORT, address), "data")) as [Buffer]
  return told.toString() === YES
}

await (role === "answer" ? answer() : ask())
