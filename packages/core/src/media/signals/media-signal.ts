/**
 * Messages about a call between two members. They travel as direct messages under the association of the link, so the
 * certificates' fingerprints in them are authenticated.
 */
import type { MediaRequest } from "../../api/index.ts"
import { ByteReader, ByteWriter, decodeOrNull, type Layout } from "../../wire/index.ts"
import { MEDIA_SOURCES, type MediaSource } from "../keys/media-view.ts"

export type MediaSignal =
  /** `session`: chosen at random for each entry into the call; 0 outside of it. `sources`: those that are published. */
  | {
      readonly kind: "state"
      readonly session: number
      readonly incarnation: number
      readonly sources: readonly MediaSource[]
    }
  /**
   * `session`: of the member that offers. `attempt` counts its connections to this peer, so a late signal of a former
   * one is recognised.
   */
  | {
      readonly kind: "description"
      readonly session: number
      readonly attempt: number
      readonly type: "offer" | "answer"
      readonly sdp: string
    }
  | {
      readonly kind: "candidate"
      readonly session: number
      readonly attempt: number
      readonly candidate: string
      /** Index of the media section. */
      readonly section: number
    }
  /**
   * The sender shows these video sources of the receiver, and some of them large. Nothing is sent of the others.
   * `session`: of the sender.
   */
  | {
      readonly kind: "wanted"
      readonly session: number
      readonly sources: readonly MediaSource[]
      readonly large: readonly MediaSource[]
    }
  /** The sender does not offer, and hears nothing over this attempt's connection. `session`: of the receiver. */
  | { readonly kind: "unheard"; readonly session: number; readonly attempt: number }
  /** A host asks the receiver. `session`: of the receiver, so a late request does not reach its next entry. */
  | { readonly kind: "request"; readonly session: number; readonly request: MediaRequest }

/** First byte. Messages about files begin with another one. */
const FORMAT = 2
const KINDS = ["state", "description", "candidate", "wanted", "request", "unheard"] as const
const REQUESTS: readonly MediaRequest[] = ["mute", "unmute"]
const TYPES = ["offer", "answer"] as const
/** A direct message of a link has 16 KiB. */
export const MEDIA_SDP_BYTES_MAX = 16_000

const layout: Layout<MediaSignal> = {
  encode(signal) {
    const writer = new ByteWriter().uint(FORMAT, 1).uint(KINDS.indexOf(signal.kind), 1).uint(signal.session, 4)
    if (signal.kind === "state") return writer.uint(signal.incarnation, 8).uint(bitsOf(signal.sources), 1).done()
    if (signal.kind === "wanted") return writer.uint(bitsOf(signal.sources), 1).uint(bitsOf(signal.large), 1).done()
    if (signal.kind === "request") return writer.uint(REQUESTS.indexOf(signal.request), 1).done()
    writer.uint(signal.attempt, 4)
    if (signal.kind === "unheard") return writer.done()
    if (signal.kind === "candidate") return writer.uint(signal.section, 1).text(signal.candidate).done()
    const sdp = new TextEncoder().encode(signal.sdp)
    if (sdp.length > MEDIA_SDP_BYTES_MAX) throw new RangeError("the description is too long")
    return writer.uint(TYPES.indexOf(signal.type), 1).bytes(sdp).done()
  },
  decode(bytes) {
    const reader = new ByteReader(bytes)
    if (reader.uint(1) !== FORMAT) throw new RangeError("another format")
    const kind = memberOf(KINDS, reader.uint(1))
    const session = reader.uint(4)
    if (kind === "state") {
      const incarnation = reader.uint(8)
      const sources = sourcesOf(reader.uint(1))
      reader.end()
      return { kind, session, incarnation, sources }
    }
    if (kind === "wanted") {
      const [sources, large] = [sourcesOf(reader.uint(1)), sourcesOf(reader.uint(1))]
      reader.end()
      return { kind, session, sources, large }
    }
    if (kind === "request") {
      const request = memberOf(REQUESTS, reader.uint(1))
      reader.end()
      return { kind, session, request }
    }
    const attempt = reader.uint(4)
    if (kind === "unheard") {
      reader.end()
      return { kind, session, attempt }
    }
    if (kind === "candidate") {
      const section = MEDIA_SOURCES.indexOf(memberOf(MEDIA_SOURCES, reader.uint(1)))
      const candidate = reader.text()
      reader.end()
      return { kind, session, attempt, section, candidate }
    }
    const type = memberOf(TYPES, reader.uint(1))
    const rest = reader.rest()
    if (rest.length > MEDIA_SDP_BYTES_MAX) throw new RangeError("the description is too long")
    const sdp = new TextDecoder("utf-8", { fatal: true }).decode(rest)
    return { kind, session, attempt, type, sdp }
  },
}

/** @throws RangeError for a description or candidate that is too long */
export function encodeMediaSignal(signal: MediaSignal): Uint8Array {
  return layout.encode(signal)
}

/** Whether a direct message is about a call. It may be malformed. */
export function isMediaSignal(bytes: Uint8Array): boolean {
  return bytes[0] === FORMAT
}

/** Returns null unless the message is well-formed. */
export function decodeMediaSignal(bytes: Uint8Array): MediaSignal | null {
  return decodeOrNull(layout, bytes)
}

function bitsOf(sources: readonly MediaSource[]): number {
  return sources.reduce((sum, source) => sum | (1 << MEDIA_SOURCES.indexOf(source)), 0)
}

/** @throws RangeError for an unknown source */
function sourcesOf(bits: number): MediaSource[] {
  if (bits >= 1 << MEDIA_SOURCES.length) throw new RangeError("an unknown source")
  return MEDIA_SOURCES.filter((_, index) => (bits & (1 << index)) !== 0)
}

function memberOf<T>(all: readonly T[], index: number): T {
  const found = all[index]
  if (found === undefined) throw new RangeError("an unknown value")
  return found
}
