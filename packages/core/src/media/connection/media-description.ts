/** Rules for the session descriptions of calls. A description that breaks one is never given to the browser. */
import { sdpFingerprint } from "@keymoot/transport/host"
import { isVideo, MEDIA_SOURCES } from "../keys/media-view.ts"

export type DescriptionFault = "lines" | "fingerprint" | "sections" | "codec"

const TRANSPORT_PROFILE = "UDP/TLS/RTP/SAVPF"
/** Codec of each kind, and formats that repeat or repair its packets. VP9 and Opus survive encryption without clear bytes. */
const CODECS = {
  video: { main: "vp9", all: new Set<string | undefined>(["vp9", "rtx", "red", "ulpfec", "flexfec-03"]) },
  audio: { main: "opus", all: new Set<string | undefined>(["opus", "red"]) },
}
/** Simulcast (RFC 8853): it would have this end encode a picture several times, and only the first has limits. */
const LAYERS = /^a=(?:rid|simulcast)\b/imu
/** Names of tracks and their streams (RFC 8830). A browser makes an object of each stream, and names one for a call. */
const TRACKS = /^a=msid\b(?!-)/gimu
/** Chromium's parameters by which a peer can set the rates of this end. No browser sends them by itself. */
const BROWSER_RATES = /x-google-/iu
/** Lines by which a peer can set the rate of a microphone, or the duration of its packets. */
const RATES = /^(?:b=|a=(?:max)?ptime\b)/iu
/** Header extensions without content, by the end of their names: which stream, when, which way up, how to be played. */
const HEADER_EXTENSIONS = new Set([
  "mid",
  "rtp-stream-id",
  "repaired-rtp-stream-id",
  "toffset",
  "abs-send-time",
  "abs-capture-time",
  "draft-holmer-rmcat-transport-wide-cc-extensions-01",
  "video-orientation",
  "playout-delay",
  "video-content-type",
  "video-timing",
  "color-space",
])
/** Own Opus parameters: a constant bitrate without pauses, in one channel and at the encoder's default rate. */
const OPUS = ["minptime=10", "useinbandfec=1", "cbr=1", "usedtx=0"]

/**
 * Returns the fault of a description from a peer; null if there is none. A description has one section for each source
 * in their order, and VP9 or Opus alone in it. So a peer chooses no other codec, first or later, and no other decoder
 * gets its packets. Opus may be sent twice in RED (RFC 2198).
 */
export function descriptionFault(sdp: string): DescriptionFault | null {
  // Parsers differ in what ends a line. One that sees other lines than this check could be told something else. That
  // includes U+2028, where the expressions here end a line and browsers do not, and spaces that a parser may skip. A
  // parser may also take types of lines in capitals for small ones.
  if (!/^(?:[a-z]=[!-~][ -~]*\r\n)*$/u.test(sdp)) return "lines"
  if (!sdpFingerprint(sdp).ok) return "fingerprint"
  const [, ...sections] = sdp.split(/^(?=m=)/mu)
  if (sections.length !== MEDIA_SOURCES.length) return "sections"
  for (const [index, section] of sections.entries()) {
    const video = isVideo(MEDIA_SOURCES[index]!)
    const [, kind, port, protocol, first] = /^m=(\S+) (\d+) (\S+) (\d+)/u.exec(section) ?? []
    // Firefox gives port 0 to sections that share the connection of the first one.
    const isRejected = port === "0" && !/^a=bundle-only\r?$/mu.test(section)
    const wanted = video ? "video" : "audio"
    if (kind !== wanted || isRejected || protocol !== TRANSPORT_PROFILE) return "sections"
    if (LAYERS.test(section)) return "sections"
    if ((section.match(TRACKS)?.length ?? 0) > 1) return "sections"
    const { main, all } = CODECS[wanted]
    const codec = codecOf(section, video ? first : withoutRedundancy(section, first))
    if (BROWSER_RATES.test(section) || !isUnambiguous(section) || codec !== main || !hasOnly(section, all))
      return "codec"
  }
  return null
}

/**
 * Whether each payload type has one codec and one set of parameters, and is written without signs and leading zeros.
 * Otherwise a browser could take another line than the one that is checked or changed here.
 */
function isUnambiguous(section: string): boolean {
  const names = section.match(/^a=(?:rtpmap|fmtp)\b[^ \r]* ?/gimu) ?? []
  const areExact = names.every((name) => /^a=(?:rtpmap|fmtp):(?:0|[1-9]\d{0,2}) $/u.test(name))
  return areExact && new Set(names).size === names.length && !/^m=.* 0\d/u.test(section)
}

/** Whether each payload type of a section has one of these codecs, also those that the first line leaves out. */
function hasOnly(section: string, codecs: ReadonlySet<string | undefined>): boolean {
  const [, listed = " none"] = /^m=\S+ \d+ \S+((?: \d+)+)\r$/mu.exec(section) ?? []
  const described = [...section.matchAll(/^a=rtpmap:(\d+) /gmu)].map(([, payload]) => payload)
  return [...listed.slice(1).split(" "), ...described].every((each) => codecs.has(codecOf(section, each)))
}

function codecOf(section: string, payload: string | undefined): string | undefined {
  return new RegExp(`^a=rtpmap:${payload} ([^/\\r\\n]+)/`, "mu").exec(section)?.[1]?.toLowerCase()
}

/** Payload type inside RED if that has one alone, as in `63 111/111`; else the same payload type. */
function withoutRedundancy(section: string, payload: string | undefined): string | undefined {
  if (codecOf(section, payload) !== "red") return payload
  const [, inner = ""] = new RegExp(`^a=fmtp:${payload} ([\\d/]+)\\r$`, "mu").exec(section) ?? []
  const [only, ...others] = new Set(inner.split("/"))
  return others.length === 0 ? only : undefined
}

/**
 * Makes the encoder of this end send Opus at a constant bitrate of its own choice, without pauses, and `packetMs` in each
 * packet. Otherwise the sizes and times of packets tell an observer when somebody speaks, and some of what.
 */
export function withConstantBitrate(sdp: string, packetMs: number): string {
  return sdp
    .split(/^(?=m=)/mu)
    .map((section) => constantIn(section, packetMs))
    .join("")
}

/**
 * Makes this end send packets whose headers have nothing of sound and pictures, since no media worker encrypts them. The
 * loudness (RFC 6464) would tell an observer in each packet how loud somebody speaks. Chromium's detection of corruption
 * has samples of the picture. Chromium sends them if an answer asks for them, although it has not offered them. So only
 * known extensions are left.
 */
export function withoutContentInHeaders(sdp: string): string {
  return sdp.replace(/^a=extmap\b.*\r\n/gimu, (line) => {
    const [, name = ""] = /^a=extmap:\d+(?:\/[a-z]+)? \S*[/:]([^/:\s]+)(?: .*)?\r\n$/u.exec(line) ?? []
    return HEADER_EXTENSIONS.has(name) ? line : ""
  })
}

/**
 * Removes feedback lines of payload types that their section does not list. Firefox writes them for codecs that it was
 * told to leave out, and Chromium refuses a description with them.
 */
export function withoutStrayFeedback(sdp: string): string {
  return sdp
    .split(/^(?=m=)/mu)
    .map((section) => {
      const listed = new Set(/^m=\S+ \d+ \S+((?: \d+)*)/u.exec(section)?.[1]?.split(" "))
      return section.replace(/^a=rtcp-fb:(\d+) .*\r\n/gmu, (line, payload: string) => (listed.has(payload) ? line : ""))
    })
    .join("")
}

/**
 * Removes the names of streams (SSRC, RFC 5576). Chromium gives a receiver's transform to the streams that a description
 * names. It decodes another stream of that section without one, so a peer could get plaintext past the media worker.
 * Without names, each stream of a section has the transform of its receiver.
 */
export function withoutStreams(sdp: string): string {
  return sdp.replace(/^a=ssrc\b.*\r\n/gimu, "")
}

/** Names the maximum rate of each picture that this end sends, in kbit/s. */
export function withVideoMaximum(sdp: string, kilobits: number): string {
  return sdp.replace(/^m=video .*\r\n(?:c=.*\r\n)?/gmu, `$&b=AS:${kilobits}\r\n`)
}

/** `withConstantBitrate` for one media section. It reads no parameters of the peer. */
function constantIn(section: string, packetMs: number): string {
  const payloads = [...section.matchAll(/^a=rtpmap:(\d+) opus\//gimu)].map(([, payload]) => payload!)
  const isForeign = (line: string): boolean =>
    RATES.test(line) || payloads.some((payload) => line.startsWith(`a=fmtp:${payload} `))
  const own = section.split("\r\n").filter((line) => !isForeign(line))
  const parameters = `a=fmtp:$1 ${OPUS.join(";")}\r\na=ptime:${packetMs}\r\n`
  return own.join("\r\n").replace(/^a=rtpmap:(\d+) opus\/.*\r\n/gimu, `$&${parameters}`)
}

type Capability = { readonly mimeType: string; readonly sdpFmtpLine?: string }

/**
 * Whether a browser with these codecs of sound chooses the sizes of its packets by what is said. Firefox does not read
 * `cbr` of a description, and has no RED. In RED a packet has several ones of Opus, which cannot be padded.
 */
export function ignoresConstantBitrate(codecs: readonly Capability[]): boolean {
  return !codecs.some((codec) => nameOf(codec) === "red")
}

/**
 * The codecs of this browser with RED first, if it has it. Each packet then repeats the one before, so a lost one is
 * heard nevertheless. At a constant bitrate this adds 85 bytes to the 80 of each 20 ms.
 */
export function withRedFirst<C extends Capability>(codecs: readonly C[]): C[] {
  return sortedBy(codecs, (codec) => nameOf(codec) === "red")
}

/**
 * Codecs of this browser that a description of a call may have. VP9 is that of profile 0. Formats that repeat and repair
 * packets stay.
 */
export function wantedCodecs<C extends Capability>(kind: keyof typeof CODECS, codecs: readonly C[]): C[] {
  const { main, all } = CODECS[kind]
  const wanted = codecs.filter((codec) => all.has(nameOf(codec)) && !/profile-id=[1-9]/u.test(codec.sdpFmtpLine ?? ""))
  return sortedBy(wanted, (codec) => nameOf(codec) === main)
}

function sortedBy<C>(codecs: readonly C[], isFirst: (codec: C) => boolean): C[] {
  return codecs.toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one)))
}

function nameOf({ mimeType }: Capability): string | undefined {
  return mimeType.toLowerCase().split("/")[1]
}
