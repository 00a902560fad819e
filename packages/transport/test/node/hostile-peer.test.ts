/** Tests of the descriptions and candidates that a peer can pass to libdatachannel. */
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as native from "node-datachannel"
import { expect, onTestFinished, test } from "vitest"
import type { NativeModule } from "../../src/node/native.ts"
import { nodeWebRtc } from "../../src/node/index.ts"

/** Counts what reaches libdatachannel. */
function watched() {
  const candidates: string[] = []
  const descriptions: string[] = []
  class Watched extends native.PeerConnection {
    override addRemoteCandidate(candidate: string, mid: string): void {
      candidates.push(candidate)
      super.addRemoteCandidate(candidate, mid)
    }
    override setRemoteDescription(sdp: string, type: native.DescriptionType): void {
      descriptions.push(sdp)
      super.setRemoteDescription(sdp, type)
    }
  }
  return { candidates, descriptions, ...nodeWebRtc({ PeerConnection: Watched } as NativeModule) }
}

function connection(policy: RTCIceTransportPolicy = "all") {
  const { candidates, descriptions, RTCPeerConnection } = watched()
  const created = new RTCPeerConnection({ iceServers: [], iceTransportPolicy: policy })
  created.createDataChannel("reliable", { negotiated: true, id: 101 })
  onTestFinished(() => created.close())
  return { candidates, descriptions, created }
}

const offer = (...more: string[]) =>
  [
    "v=0",
    "o=- 1 2 IN IP4 127.0.0.1",
    "s=-",
    "t=0 0",
    "m=application 9 UDP/DTLS/SCTP webrtc-datachannel",
    "c=IN IP4 0.0.0.0",
    "a=mid:0",
    "a=sctp-port:5000",
    "a=setup:actpass",
    "a=ice-ufrag:abcd",
    "a=ice-pwd:abcdefghijklmnopqrstuvwx",
    `a=fingerprint:sha-256 ${Array(32).fill("AB").join(":")}`,
    ...more,
    "",
  ].join("\r\n")
const candidate = (address: string, type = "host") => `candidate:1 1 UDP 2113937151 ${address} 40000 typ ${type}`

test("resolves no name of a peer, in a candidate or in a description", async () => {
  const { candidates, descriptions, created } = connection()
  const sdp = offer(`a=${candidate("inside.victim.example")}`, `a=${candidate("192.0.2.7")}`, "a=end-of-candidates")
  await created.setRemoteDescription({ type: "offer", sdp })
  for (const address of ["a.victim.example", "6b0e.local", "1.2.3.4.example", "", "::g", "1.2.3.4\u0000x"])
    await created.addIceCandidate({ candidate: candidate(address), sdpMid: "0" })
  await created.addIceCandidate({ candidate: candidate("2001:db8::7"), sdpMid: "0" })
  expect(descriptions.join()).not.toMatch(/candidate/u)
  expect(candidates).toEqual([candidate("192.0.2.7"), candidate("2001:db8::7")])
})

/** libdatachannel splits a candidate at any white space. */
const split = (space: string) =>
  `candidate:1 1 UDP${space}1${space}inside.victim.example${space}40000${space}typ host 192.0.2.7`

test.each(["\t", "\v", "\f", "\r", "\n"])("resolves no name in a candidate that is split at %j", async (space) => {
  const { candidates, created } = connection()
  await created.setRemoteDescription({ type: "offer", sdp: offer() })
  await created.addIceCandidate({ candidate: split(space), sdpMid: "0" })
  expect(candidates).toEqual([])
})

test.each([
  ["a carriage return", `${offer()}a=${split("\r")}\r\n`],
  ["another line separator", offer(`a=${candidate("inside.victim.example")} \u2028`)],
  ["no end of the last line", `${offer()}a=${candidate("inside.victim.example")}`],
])("hides no candidate in a description with %s", async (_, sdp) => {
  const { candidates, descriptions, created } = connection()
  await created.setRemoteDescription({ type: "offer", sdp }).catch(() => undefined)
  expect(descriptions.join()).not.toMatch(/candidate/u)
  expect(candidates).toEqual([])
})

test("sends nothing to a peer's addresses when its own is to be hidden", async () => {
  const { candidates, created } = connection("relay")
  await created.setRemoteDescription({ type: "offer", sdp: offer(`a=${candidate("192.0.2.7", "relay")}`) })
  for (let index = 0; index < 200; index++)
    await created.addIceCandidate({ candidate: candidate(`192.0.2.${index}`, "relay"), sdpMid: "0" })
  expect(candidates).toEqual([])
})

test.each([
  ["media", offer("m=audio 9 UDP/TLS/RTP/SAVPF 111", "a=mid:1", "a=rtpmap:111 opus/48000/2")],
  ["media alone", offer().replace(/^m=.*$/mu, "m=audio 9 UDP/TLS/RTP/SAVPF 111")],
  ["no section", offer().replace(/^m=.*\r\n/mu, "")],
  ["no certificate", offer().replace(/^a=fingerprint.*\r\n/mu, "")],
  ["no password", offer().replace(/^a=ice-pwd.*\r\n/mu, "")],
  ["nothing", ""],
])("refuses a description with %s", async (_, sdp) => {
  const { created } = connection()
  await expect(created.setRemoteDescription({ type: "offer", sdp })).rejects.toThrow()
  expect(created.localDescription).toBeNull()
})

test("refuses an answer out of turn, and a second offer", async () => {
  const { created } = connection()
  await expect(created.setRemoteDescription({ type: "answer", sdp: offer() })).rejects.toThrow()
  await created.setRemoteDescription({ type: "offer", sdp: offer() })
  const another = offer().replace("abcd", "efgh")
  await expect(created.setRemoteDescription({ type: "offer", sdp: another })).rejects.toThrow(/restarted/u)
})

test("fails a connection and not the process when no file descriptor is left", async () => {
  const script = fileURLToPath(new URL("exhausting-process.ts", import.meta.url))
  const command = `ulimit -n 60 && exec "${process.execPath}" --conditions=keymoot-source "${script}"`
  const { stdout } = await promisify(execFile)("sh", ["-c", command], { timeout: 150_000 })
  const { described, refused } = JSON.parse(stdout) as { readonly described: number; readonly refused: number }
  expect(described).toBeGreaterThan(5)
  expect(refused).toBeGreaterThan(5)
  expect(described + refused).toBe(100)
})
