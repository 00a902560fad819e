/** Inputs that a hostile member can send to a call: frames, signals and descriptions. Each run throws for an input that shows a fault. */
import type { MemberId } from "@keymoot/transport"
import { bytesToHex } from "@noble/hashes/utils.js"
import type { MediaEvents } from "../../src/api/index.ts"
import { Emitter } from "../../src/client/connection/emitter.ts"
import { Media, type MediaConfig } from "../../src/client/conference-media.ts"
import { descriptionFault, withConstantBitrate } from "../../src/media/connection/media-description.ts"
import { keyIdOf, type MediaMember, type MediaView } from "../../src/media/keys/media-view.ts"
import { decodeSFrameHeader, encodeSFrameHeader } from "../../src/media/sframe/sframe-header.ts"
import { sframeSecrets } from "../../src/media/sframe/sframe.ts"
import { decodeMediaSignal, encodeMediaSignal, type MediaSignal } from "../../src/media/signals/media-signal.ts"
import { FrameCipher, type Track } from "../../src/media/worker/frame-cipher.ts"
import { aesGcmUnder } from "../../src/ciphers/aes-gcm.ts"
import { FakeBrowser } from "../media/fake-browser.ts"
import { FakeMediaWorker } from "../media/fake-media-worker.ts"
import { sampleDescription } from "../media/connection/sample-description.ts"
import { messagesIn, scriptOf } from "./scripts.ts"

const [ADA, BOB, EVE] = ["a", "b", "e"].map((letter) => {
  return { member: letter.repeat(32) as MemberId, incarnation: 1 }
}) as [MediaMember, MediaMember, MediaMember]
const VIEW: MediaView = { id: "view", epoch: 1, members: [ADA, BOB, EVE] }
const sends: Track = { direction: "send", source: "microphone", peer: ADA }
const receives: Track = { ...sends, direction: "receive" }

/** The cipher of a member in the view. All derive the same keys. */
async function cipherOf(self: MediaMember): Promise<FrameCipher> {
  const cipher = new FrameCipher(self)
  const keys = VIEW.members.map(async (_, index) => {
    const keyId = keyIdOf(VIEW, index)
    const { key, salt } = sframeSecrets(new Uint8Array(32).fill(index), keyId)
    const imported = await crypto.subtle.importKey("raw", key as BufferSource, "AES-GCM", false, ["encrypt", "decrypt"])
    return { keyId, salt, cipher: aesGcmUnder(imported) }
  })
  cipher.step({ type: "view", view: VIEW })
  cipher.step({ type: "speakers", members: VIEW.members.map(({ member }) => member), removed: [] })
  cipher.step({ type: "keyed", view: VIEW.id, keys: await Promise.all(keys), firstCounter: 0 })
  cipher.step({ type: "secured", view: VIEW.id, nowMs: 0 })
  return cipher
}

async function framesOf(sender: MediaMember): Promise<Uint8Array[]> {
  const cipher = await cipherOf(sender)
  const sealed = ["one", "two", "three"].map((text) => cipher.transform(sends, new TextEncoder().encode(text), 0))
  return (await Promise.all(sealed)).flatMap((each) => (typeof each === "string" ? [] : [each]))
}

const genuine = new Set((await framesOf(ADA)).map(bytesToHex))
export const frameSeeds = [scriptOf([], await framesOf(ADA)), scriptOf([], await framesOf(EVE))]

/** Frames on Ada's connection. Only hers pass, and each once. */
export async function runFrames(script: Uint8Array): Promise<void> {
  const bob = await cipherOf(BOB)
  const passed = new Set<string>()
  for (const frame of messagesIn(script)) {
    const decoded = decodeSFrameHeader(frame)
    if (decoded && bytesToHex(encodeSFrameHeader(decoded.header)) !== bytesToHex(frame.subarray(0, decoded.bytes)))
      throw new Error("two headers of one key id and counter")
    if (bob.waits(receives, frame, 0)) continue
    const result = await bob.transform(receives, frame, 0)
    if (typeof result === "string") continue
    const hex = bytesToHex(frame)
    if (!genuine.has(hex) || passed.has(hex)) throw new Error("a frame passes that Ada has not sent, or a second time")
    passed.add(hex)
  }
}

export const descriptionSeeds = [new TextEncoder().encode(sampleDescription())]

/** A description that passes has one certificate, four encrypted sections, their codecs alone and Opus at one bitrate. */
export function runDescription(bytes: Uint8Array): void {
  const sdp = new TextDecoder().decode(bytes)
  const constant = withConstantBitrate(sdp, 20)
  if (descriptionFault(sdp) !== null) return
  if (descriptionFault(constant) !== null) throw new Error("the constant bitrate breaks a description")
  const lines = constant.split(/\r?\n/u)
  const prints = lines.filter((line) => line.startsWith("a=fingerprint:")).map((line) => line.toLowerCase().trim())
  if (new Set(prints).size !== 1) throw new Error("a description with several certificates passes")
  const sections = lines.filter((line) => line.startsWith("m="))
  const kinds = sections.map((line) => line.slice(2, 7)).join()
  if (kinds !== "audio,video,video,audio" || !sections.every((line) => line.includes(" UDP/TLS/RTP/SAVPF ")))
    throw new Error("a description with other sections passes")
  if (lines.some((line) => /^a=rtpmap\b/iu.test(line) && !/ (?:vp9|opus|rtx|red|ulpfec|flexfec-03)\//iu.test(line)))
    throw new Error("a description with another codec passes")
  for (const line of lines.filter((each) => /^a=rtpmap:\d+ opus\//iu.test(each))) {
    const payload = /\d+/u.exec(line)![0]
    const parameters = lines.filter((each) => each.startsWith(`a=fmtp:${payload} `))
    if (parameters.length === 0 || parameters.some((each) => !each.includes("cbr=1") || each.includes("usedtx=1")))
      throw new Error("Opus may show by its sizes who speaks")
  }
}

const sdp = sampleDescription()
const signals: readonly MediaSignal[] = [
  { kind: "state", session: 7, incarnation: 1, sources: ["microphone", "camera"] },
  { kind: "description", session: 7, attempt: 1, type: "offer", sdp },
  { kind: "description", session: 1, attempt: 1, type: "answer", sdp },
  { kind: "candidate", session: 7, attempt: 1, candidate: "candidate:1 1 udp 1 10.0.0.1 9 typ host", section: 0 },
  { kind: "description", session: 7, attempt: 2, type: "offer", sdp },
  { kind: "state", session: 9, incarnation: 1, sources: ["screen"] },
]
export const signalSeeds = signals.map(encodeMediaSignal)
export const callSeeds = [0, 1].map((place) => scriptOf([place], signalSeeds.map(shortened)))

/** The fuzzer's inputs are short, so its calls have descriptions of a few bytes: the script's own run puts a whole one there. */
function shortened(bytes: Uint8Array): Uint8Array {
  const signal = decodeMediaSignal(bytes)!
  return signal.kind === "description" ? encodeMediaSignal({ ...signal, sdp: "" }) : bytes
}

export function runSignal(bytes: Uint8Array): void {
  const signal = decodeMediaSignal(bytes)
  if (signal && bytesToHex(encodeMediaSignal(signal)) !== bytesToHex(bytes)) throw new Error("two encodings")
}

/** Signals that reach the page in the time of one script: the engine passes 500 at once. */
const SIGNALS_MAX = 500
/** One a second. A script takes less than another one. */
const CONNECTIONS_MAX = 2

/** First byte: which end offers. The rest are signals of one member to another who is in the call. */
export async function runCall(script: Uint8Array): Promise<void> {
  const [place = 0, ...rest] = script
  const [self, peer] = place % 2 === 0 ? [ADA, BOB] : [BOB, ADA]
  const browser = new FakeBrowser()
  const globals = { ...browser.globals, Worker: FakeMediaWorker }
  const former = Object.keys(globals).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  Object.assign(globalThis, globals)
  const media = new Media(configOf(self, peer))
  const tracks = { microphone: { kind: "audio", ...TRACK }, camera: { kind: "video", ...TRACK } }
  try {
    media.onEvent({
      type: "view",
      peers: VIEW.members.map(({ member, incarnation }) => ({ id: member, incarnation })),
    } as never)
    await media.enter()
    for (const purpose of ["microphone", "camera"] as const) await media.publish(purpose, tracks[purpose] as never)
    for (const bytes of messagesIn(Uint8Array.from(rest)).slice(0, SIGNALS_MAX)) {
      const decoded = decodeMediaSignal(bytes)
      if (!decoded) continue
      const signal = decoded.kind === "description" && decoded.sdp === "" ? { ...decoded, sdp } : decoded
      media.onEvent({ type: "media", from: peer.member, signal })
      for (let i = 0; i < 10; i++) await Promise.resolve()
      browser.endTask()
      if (browser.open.length > 1) throw new Error("one member has several connections")
      if (browser.leaks.length > 0) throw new Error(browser.leaks[0])
      if (media.participants.length > 1) throw new Error("one member is there twice")
    }
    if (browser.connections.length > CONNECTIONS_MAX) throw new Error("a member opens connections without a limit")
  } finally {
    media.leave()
    for (const [name, descriptor] of former)
      if (descriptor) Object.defineProperty(globalThis, name, descriptor)
      else Reflect.deleteProperty(globalThis, name)
  }
  if (browser.open.length > 0) throw new Error("a connection outlives the call")
}

const TRACK = { addEventListener: () => undefined, removeEventListener: () => undefined, getSettings: () => ({}) }

function configOf(self: MediaMember, peer: MediaMember): MediaConfig {
  const members = [self, peer].map(({ member }) => ({
    id: member,
    name: member[0],
    self: member === self.member,
    role: "editor",
  }))
  const config = {
    info: { id: "conference", self: { id: self.member }, incarnation: 1 },
    connection: {
      passMediaKeys: (_: string, port: MessagePort | null) => port?.close(),
      call: async () => ({ iceServers: [], transportPolicy: "all" }),
    },
    present: { view: { members }, onEvent: () => undefined },
    emitter: new Emitter<MediaEvents>(),
  }
  return config as unknown as MediaConfig
}
