/**
 * A whole mesh with a hostile neighbour or a hostile server, and the server with a hostile client. Inputs are scripts.
 */
import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js"
import { LIMITS } from "../../../../apps/signaling/src/bounds/limits.ts"
import { type RunningServer, startServer } from "../../../../apps/signaling/src/server.ts"
import { SIGNALING_PATH } from "@keymoot/transport/signaling-protocol"
import { packParcels } from "../../../transport/src/network/association/channel.ts"
import type { ConnectionId, HostEvent, RoomAddress } from "../../../transport/src/port/port.ts"
import { receiveFrames } from "../../../transport/test/packets-of-server.ts"
import { answerBinding, ANSWER_GROWTH_BYTES_MAX } from "../../../../apps/signaling/src/stun/binding.ts"
import { TestConference } from "../../../transport/test/network/conference.ts"
import { HostileMember } from "../../../transport/test/network/hostile/hostile-member.ts"
import { conferenceId, SERVER } from "../../../transport/test/network/member.ts"
import { messagesIn } from "./scripts.ts"

const LINKS_WITHIN_MS = 90_000
const room = bytesToHex(conferenceId)
const from = "c0".repeat(16) as RoomAddress

/** Ways to the victim: what a member with an invitation and a link can send, then what the server and the page can. */
export const MESH_WAYS = ["signal", "control", "link message", "hop frame", "host event"] as const

/** Each message: its way (1), then its bytes. Afterwards an honest member comes and has to get a link. */
export async function runMesh(script: Uint8Array): Promise<void> {
  const conference = new TestConference(3)
  const victim = conference.join("victim", conference.identity(2))
  await conference.pass(200)
  const hostile = new HostileMember(conference, conference.identity(0), victim)
  await conference.network.run()
  await hostile.introduce()
  await hostile.link()
  const { sealer } = hostile
  if (!sealer) throw new Error("the hostile member has no link")
  for (const [way = 0, ...rest] of messagesIn(script)) {
    const bytes = Uint8Array.from(rest)
    switch (MESH_WAYS[way % MESH_WAYS.length]) {
      case "signal":
        await hostile.signalBytes(bytes)
        break
      case "control":
      case "link message": {
        const control = MESH_WAYS[way % MESH_WAYS.length] === "control"
        await hostile.send(packParcels([{ control, bytes }], (each) => sealer.seal(each)))
        break
      }
      case "hop frame":
        await hostile.send([bytes])
        break
      default:
        for (const event of hostEvents(bytes)) victim.mesh.handle(event)
    }
    await conference.pass(100)
  }
  const honest = conference.identity(1)
  conference.join("honest", honest)
  for (let ms = 0; ms < LINKS_WITHIN_MS && !victim.links.includes(honest.member); ms += 1000)
    await conference.pass(1000)
  if (!victim.links.includes(honest.member)) throw new Error("the victim gets no link with an honest member")
}

/** Events of the host that the server or a peer connection may cause at any time: a type (1), a link (1), content. */
function hostEvents([type = 0, number = 1, ...rest]: Uint8Array): HostEvent[] {
  const bytes = Uint8Array.from(rest)
  const connectionId = number as ConnectionId
  const reliability = type & 0x80 ? "unreliable" : "reliable"
  const events: HostEvent[] = [
    { type: "room-advertisement", server: SERVER, room, from, advertisement: bytes },
    { type: "room-signal", server: SERVER, room, from, envelope: bytes },
    { type: "peer-frames", connectionId, reliability, frames: [bytes] },
    { type: "peer-closed", connectionId, byPeer: true, reason: "" },
  ]
  return [events[type % events.length]!]
}

/** Each message is a frame of a server to its client: text if its first byte is even, else bytes. */
export async function runSocketPackets(script: Uint8Array): Promise<void> {
  await receiveFrames(messagesIn(script).map(textOrBytes))
}

/** A datagram to the STUN server. Its answer must not amplify a forged request. */
export function runStun(datagram: Uint8Array): void {
  for (const address of ["192.0.2.1", "2001:db8::1"]) {
    const answer = answerBinding(datagram, { address, port: 9 })
    if (answer && answer.length > datagram.length + ANSWER_GROWTH_BYTES_MAX) throw new Error("a long answer")
  }
}

const STUN_HEADER = "000100002112a442b7e7a701bc34d686fa87dfae"
/** A request without attributes, then the one of RFC 5769, section 2.1. */
export const stunSeeds = [
  STUN_HEADER,
  `00010058${STUN_HEADER.slice(8)}802200105354554e207465737420636c69656e74002400046e0001ff80290008932ff9b151263b36000600096576746a3a68367659202020000800149aeaa70cbfd8cb56781ef2b5b2d3f249c1b571a280280004e57a3bcf`,
].map(hexToBytes)

function textOrBytes([first = 0, ...rest]: Uint8Array): string | ArrayBuffer {
  const bytes = Uint8Array.from(rest)
  return first % 2 === 0 ? new TextDecoder().decode(bytes) : bytes.buffer
}

let server: Promise<RunningServer> | null = null
/** Limits are tested elsewhere. Here every client comes from one address, and none may be refused for its number. */
const ENDLESS = { burst: 1e9, perSecond: 1e9 }
const OPEN_LIMITS = { ...LIMITS, connects: ENDLESS, nuisances: ENDLESS, httpRequests: ENDLESS, connectsPerFlood: 0 }

/**
 * First byte: whether the client connects as it should before it says the rest. Each message is one of a WebSocket:
 * text if its first byte is even, else bytes. Afterwards the server has to answer.
 */
export async function runServer(script: Uint8Array): Promise<void> {
  let failure: unknown = null
  const onFailure = (error: unknown): void => void (failure ??= error)
  process.on("uncaughtException", onFailure)
  try {
    const { url } = await (server ??= startServer({ port: 0 }, OPEN_LIMITS))
    const messages = messagesIn(script.subarray(1)).map(textOrBytes)
    await talk(url, messages, script[0]! % 2 === 0 ? CONNECTED : GREETED, null)
    const answers = await talk(url, [`421["conference:get",{"id":"${from}"}]`], CONNECTED, ANSWERED)
    if (!answers.at(-1)?.startsWith(ANSWERED)) throw new Error(`the server answers ${answers.join(" ")}`)
  } finally {
    process.off("uncaughtException", onFailure)
  }
  if (failure) throw failure
}

/** Beginnings of what the server sends: its greeting, the answer to a connect packet, and to the request 1. */
const GREETED = "0{"
const CONNECTED = "40{"
const ANSWERED = "431"

/** Sends all after that packet of the server. Waits for the last one, if there is one, and closes. */
async function talk(
  url: string,
  messages: readonly (string | ArrayBuffer)[],
  after: string,
  last: string | null,
): Promise<string[]> {
  const socket = new WebSocket(`${url.replace("http", "ws")}${SIGNALING_PATH}/?EIO=4&transport=websocket`)
  const answers: string[] = []
  await new Promise<void>((done) => {
    socket.addEventListener("message", ({ data }) => {
      const answer = String(data)
      answers.push(answer)
      if (answer.startsWith(GREETED) && after !== GREETED) socket.send("40")
      if (answer.startsWith(after)) for (const message of messages) socket.send(message)
      if (last === null ? answer.startsWith(after) : answer.startsWith(last)) done()
    })
    socket.addEventListener("error", () => done())
    socket.addEventListener("close", () => done())
  })
  socket.close()
  await new Promise<void>((done) => {
    if (socket.readyState === WebSocket.CLOSED) done()
    socket.addEventListener("close", () => done())
  })
  return answers
}

/** Closes the server of the runs. */
export async function endServer(): Promise<void> {
  await (await server)?.close()
  server = null
}

export function prefixed(way: number, bytes: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(way), bytes)
}
