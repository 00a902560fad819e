import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { BrowserKind } from "../../browsers.ts"
import type { Person } from "../person.ts"
import type { Tapped } from "./tapped-frames.ts"

/** Devices of a browser that writes each RTP packet into a file, before SRTP encrypts it. */
export function dumpInto(file: string, kind: BrowserKind) {
  return kind === "chromium" ? dumpOfChromium(file) : { variables: { MOZ_LOG: "RtpLogger:5", MOZ_LOG_FILE: file } }
}

function dumpOfChromium(file: string) {
  const field = "--force-fieldtrials=WebRTC-Debugging-RtpDump/Enabled/"
  const started = (program: string): string => {
    // Processes of pages write to standard error only, which Playwright keeps for itself.
    const script = `${file}.sh`
    writeFileSync(script, `#!/bin/sh\nexec "${program}" "$@" 2>"${file}"\n`, { mode: 0o755 })
    return script
  }
  return { switches: [field, "--vmodule=srtp_session=1", "--enable-logging=stderr"], started }
}

/** RTP packets that were sent so far. Those of RTCP have types from 192 to 223 (RFC 5761). */
export function sentPackets(file: string): Buffer[] {
  // Each process of Firefox writes a file of its own, whose name begins with the given one.
  const files = readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file)) && !name.endsWith(".sh"))
  const dumps = files.flatMap((name) => {
    const text = readFileSync(join(dirname(file), name), "latin1")
    // The last line may not be complete yet.
    const lines = text.slice(0, text.lastIndexOf("\n") + 1)
    return [...lines.matchAll(/(?:^|RTP_PACKET\|>> )O \S+ +0+ ([\da-f ]+?)(?: # RTP_DUMP| *)$/gmu)]
  })
  const packets = dumps.map(([, hex = ""]) => Buffer.from(hex.replaceAll(" ", ""), "hex"))
  return packets.filter((packet) => packet[1]! < 192 || packet[1]! > 223)
}

/** Codec and clock rate by payload type. RED of video has the rate 90000. */
export type Codecs = ReadonlyMap<number, string>

/** Codecs that somebody's call sends. */
export async function sentCodecs({ page }: Person): Promise<Codecs> {
  const sdp = await page.evaluate(() => {
    const { connections } = (globalThis as unknown as { watched: { connections: RTCPeerConnection[] } }).watched
    const calls = connections.filter((each) => each.getConfiguration().bundlePolicy === "max-bundle")
    return calls.map(({ remoteDescription }) => remoteDescription?.sdp ?? "").join("")
  })
  const lines = sdp.matchAll(/^a=rtpmap:(\d+) ([^/]+\/\d+)/gmu)
  return new Map(Array.from(lines, ([, type, name]) => [Number(type), name!.toLowerCase()]))
}

export function codecOf(packet: Buffer, codecs: Codecs): string | undefined {
  return codecs.get(packet[1]! & 0x7f)
}

/** Payload without padding (RFC 3550, section 5.1). */
export function payloadOf(packet: Buffer): Buffer {
  const [flags = 0] = packet
  const extension = 12 + 4 * (flags & 0x0f)
  const start = (flags & 0x10) === 0 ? extension : extension + 4 + 4 * packet.readUInt16BE(extension + 2)
  return packet.subarray(start, packet.length - ((flags & 0x20) === 0 ? 0 : packet.at(-1)!))
}

/**
 * Frames whose packets are all there, as their sender's media worker wrote them. Retransmitted packets do not count. The
 * sources are "sound", "picture 1" and "picture 2", in the order of their first packets.
 */
export function framesIn(packets: readonly Buffer[], codecs: Codecs): Tapped[] {
  const frames: Tapped[] = []
  const pictures = new Map<number, { readonly source: string; parts: Buffer[] }>()
  for (const packet of packets) {
    let [codec, payload] = [codecOf(packet, codecs), payloadOf(packet)]
    if (payload.length === 0) continue
    // Chromium puts one block into RED of video. The other codec in it is ULPFEC (RFC 5109).
    if (codec === "red/90000") [codec, payload] = [codecs.get(payload[0]!), payload.subarray(1)]
    if (codec === "opus/48000" || codec === "red/48000") frames.push({ source: "sound", bytes: [...payload] })
    if (codec !== "vp9/90000") continue
    const stream = packet.readUInt32BE(8)
    const picture = pictures.get(stream) ?? { source: `picture ${pictures.size + 1}`, parts: [] }
    pictures.set(stream, picture)
    picture.parts.push(withoutDescriptor(payload))
    if ((packet[1]! & 0x80) === 0) continue
    frames.push({ source: picture.source, bytes: Array.from(Buffer.concat(picture.parts)) })
    picture.parts = []
  }
  return frames
}

/** The part after the payload descriptor of VP9 (RFC 9628, section 4.2). */
function withoutDescriptor(payload: Buffer): Buffer {
  let at = 0
  const next = (): number => payload[at++] ?? 0
  const flags = next()
  const [picture, inter, layers, flexible, structure] = [0x80, 0x40, 0x20, 0x10, 0x02].map((bit) => (flags & bit) !== 0)
  if (picture && (next() & 0x80) !== 0) at++
  if (layers) at += flexible ? 1 : 2
  if (flexible && inter) while ((next() & 1) !== 0);
  if (!structure) return payload.subarray(at)
  const sizes = next()
  if ((sizes & 0x10) !== 0) at += 4 * ((sizes >> 5) + 1)
  if ((sizes & 0x08) === 0) return payload.subarray(at)
  for (let pictures = next(); pictures > 0; pictures--) {
    const references = (next() >> 2) & 3
    at += references
  }
  return payload.subarray(at)
}

/** Opus packets of a payload that is RED (RFC 2198); null if it is not. */
export function opusIn(payload: Uint8Array, codecs: Codecs): Uint8Array[] | null {
  const bytes = Buffer.from(payload)
  const lengths: number[] = []
  let at = 0
  const isOpus = (): boolean => codecs.get(bytes[at]! & 0x7f) === "opus/48000"
  for (; at + 4 < bytes.length && bytes[at]! >= 0x80 && isOpus(); at += 4)
    lengths.push(bytes.readUInt16BE(at + 2) & 0x3ff)
  if (at >= bytes.length || bytes[at]! >= 0x80 || !isOpus()) return null
  at++
  const last = bytes.length - at - lengths.reduce((sum, length) => sum + length, 0)
  if (last < 1) return null
  return [...lengths, last].map((length) => bytes.subarray(at, (at += length)))
}
