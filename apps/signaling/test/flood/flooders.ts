/** A process full of sockets that send as much as they can, each in its own way, and come back when they are cut off. */
import { randomBytes } from "node:crypto"
import {
  conferenceIdOf,
  descriptorHashOf,
  FRAME_BYTES_MAX,
  SIGNALING_PATH,
} from "@keymoot/transport/signaling-protocol"

/** Network addresses that all of them share. */
const ADDRESSES = 8
const BACK_AFTER_MS = 500
/** Between two spates of one socket. */
const PAUSE_MS = 5
const SPATE = 100
/** Bound on a socket's send buffer, so that this process keeps its memory. */
const UNSENT_BYTES_MAX = 1024 * 1024

const [url = "", count = "0"] = process.argv.slice(2)
const id = "00112233445566778899aabbccddeeff"

/** Messages that one flooder repeats. `ack` numbers those that request an answer. */
const WAYS: readonly ((ack: number) => string | Uint8Array | [string, Uint8Array])[] = [
  (ack) => `42${ack}["conference:get",{"id":"${id}"}]`,
  (ack) => `42${ack}["signal",{"room":"${id}","to":"${id}","envelope":"x"}]`,
  (ack) => `42${ack}["conference:list",{}]`,
  (ack) => `42${ack}["participant:list",{"prefix":"a"}]`,
  (ack) => `42${ack}["no:such:request",{"__proto__":{"polluted":true}}]`,
  () => `42["conference:get",{"id":"${id}"}]`,
  () => `40/elsewhere,`,
  () => "4not a packet",
  () => "43999[]",
  () => "3",
  (ack) => {
    const descriptor = randomBytes(100)
    const id = conferenceIdOf(descriptorHashOf(descriptor))
    const fields = `"id":"${id}","descriptor":{"_placeholder":true,"num":0},"expiresAtMs":${Date.now() + 60_000}`
    return [`451-${ack}["conference:create",{${fields}}]`, descriptor]
  },
  () => new Uint8Array(FRAME_BYTES_MAX + 1),
]

function flooder(number: number): void {
  const way = WAYS[number % WAYS.length]
  // Node's own WebSocket takes headers, as no browser's does.
  const options = { headers: { "X-Forwarded-For": `10.2.0.${number % ADDRESSES}` } } as unknown as string[]
  const socket = new WebSocket(`${url.replace("http", "ws")}${SIGNALING_PATH}/?EIO=4&transport=websocket`, options)
  let ack = 0
  const spate = () => {
    if (socket.readyState !== WebSocket.OPEN || way === undefined) return
    for (let sent = 0; sent < SPATE && socket.bufferedAmount < UNSENT_BYTES_MAX; sent++) {
      const frames = way(ack++)
      for (const frame of Array.isArray(frames) ? frames : [frames]) socket.send(frame)
    }
    setTimeout(spate, PAUSE_MS)
  }
  socket.addEventListener("message", ({ data }) => {
    if (typeof data !== "string") return
    if (data.startsWith("0")) socket.send("40")
    else if (data.startsWith("40")) spate()
    else if (data === "2") socket.send("3")
  })
  socket.addEventListener("error", () => {})
  socket.addEventListener("close", () => setTimeout(() => flooder(number), BACK_AFTER_MS))
}

for (let number = 0; number < Number(count); number++) flooder(number)
process.send?.("flooding")
