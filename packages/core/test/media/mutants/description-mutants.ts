/** Rules of session descriptions. */
import { broken, type MediaMutant } from "./mutant.ts"

const DESCRIPTION = "media/connection/media-description.ts"
const CONNECTION = "media/connection/media-connection.ts"
const DESCRIPTION_TEST = "media/connection/media-description.test.ts"
const CONNECTION_TEST = "media/connection/media-connection.test.ts"

export const descriptionMutants: readonly MediaMutant[] = [
  broken("lines that parsers read in two ways", DESCRIPTION_TEST, [DESCRIPTION, 'return "lines"', "void sdp"]),
  broken("a description with two certificates", DESCRIPTION_TEST, [
    DESCRIPTION,
    'if (!sdpFingerprint(sdp).ok) return "fingerprint"',
    "",
  ]),
  broken("layers at the peer's wish", DESCRIPTION_TEST, [
    DESCRIPTION,
    'if (LAYERS.test(section)) return "sections"',
    "",
  ]),
  broken("rates at the peer's wish", DESCRIPTION_TEST, [DESCRIPTION, "BROWSER_RATES.test(section) || ", ""]),
  broken("another codec first", DESCRIPTION_TEST, [DESCRIPTION, "codec !== main || ", ""]),
  broken("another codec later", DESCRIPTION_TEST, [DESCRIPTION, " || !hasOnly(section, all)", ""]),
  broken("a codec of which only one line tells", DESCRIPTION_TEST, [DESCRIPTION, ", ...described]", "]"]),
  broken("payload types without a line", DESCRIPTION_TEST, [DESCRIPTION, '...listed.slice(1).split(" "), ', ""]),
  broken("this end offers other codecs", DESCRIPTION_TEST, [DESCRIPTION, "all.has(nameOf(codec)) && ", ""]),
  broken("a browser keeps its other codecs", CONNECTION_TEST, [
    CONNECTION,
    "transceiver.setCodecPreferences(isVoice ? withRedFirst(codecs) : codecs)",
    "void [isVoice, withRedFirst, codecs]",
  ]),
  broken("feedback of codecs that nobody lists", DESCRIPTION_TEST, [
    DESCRIPTION,
    '(listed.has(payload) ? line : "")',
    "line",
  ]),
  broken("headers with samples of pictures", CONNECTION_TEST, [
    DESCRIPTION,
    '  "color-space",',
    '  "color-space", "corruption-detection",',
  ]),
  broken("headers that nobody knows", DESCRIPTION_TEST, [
    DESCRIPTION,
    'HEADER_EXTENSIONS.has(name) ? line : ""',
    "line",
  ]),
  broken("lines in capitals", DESCRIPTION_TEST, [DESCRIPTION, "(?:[a-z]=[!-~]", "(?:[A-Za-z]=[!-~]"]),
  broken("a stream that passes by its transform", CONNECTION_TEST, [DESCRIPTION, "a=ssrc\\b", "a=never\\b"]),
  broken("a payload type with two meanings", DESCRIPTION_TEST, [DESCRIPTION, "!isUnambiguous(section) || ", ""]),
  broken("another codec in RED", DESCRIPTION_TEST, [
    DESCRIPTION,
    "return others.length === 0 ? only : undefined",
    "return only",
  ]),
  broken("a section without DTLS", DESCRIPTION_TEST, [DESCRIPTION, " || protocol !== TRANSPORT_PROFILE", ""]),
  broken("a fifth section", DESCRIPTION_TEST, [
    DESCRIPTION,
    "sections.length !== MEDIA_SOURCES.length",
    "sections.length < MEDIA_SOURCES.length",
  ]),
  broken("tracks without a limit in a section", DESCRIPTION_TEST, [
    DESCRIPTION,
    'if ((section.match(TRACKS)?.length ?? 0) > 1) return "sections"',
    "void TRACKS",
  ]),
  broken("sizes show who speaks", DESCRIPTION_TEST, [DESCRIPTION, '"cbr=1", ', ""]),
  broken("sizes show who speaks if the peer gives no parameters", DESCRIPTION_TEST, [
    DESCRIPTION,
    ".replace(/^a=rtpmap:(\\d+) opus\\/.*\\r\\n/gimu, ",
    ".replace(/^a=fmtp:(\\d+) .*minptime.*\\r\\n/gimu, ",
  ]),
  broken("a peer's parameters of Opus", DESCRIPTION_TEST, [
    DESCRIPTION,
    " || payloads.some((payload) => line.startsWith(`a=fmtp:${payload} `))",
    "",
  ]),
  broken("a peer's bandwidth", DESCRIPTION_TEST, [DESCRIPTION, "(?:b=|a=(?:max)?ptime\\b)", "a=(?:max)?ptime\\b"]),
  broken("a peer's duration of packets", DESCRIPTION_TEST, [DESCRIPTION, "b=|a=(?:max)?ptime", "b=|a=maxptime"]),
  broken("a peer's longest packets", DESCRIPTION_TEST, [DESCRIPTION, "b=|a=(?:max)?ptime", "b=|a=ptime"]),
  broken("lines with spaces that parsers skip", DESCRIPTION_TEST, [DESCRIPTION, "[a-z]=[!-~]", ""]),
  broken("a description reaches the browser unchecked", CONNECTION_TEST, [
    CONNECTION,
    "if (fault) return this.#fail(`a description with a fault: ${fault}`)",
    "void fault",
  ]),
  broken("a second offer of the other end", CONNECTION_TEST, [
    CONNECTION,
    'if ((type === "offer") === initiator) return this.#fail("an unexpected description")',
    "void initiator",
  ]),
]
