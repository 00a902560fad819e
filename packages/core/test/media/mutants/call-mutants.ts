/** Rules of paths, sizes and floods. */
import { broken, type MediaMutant } from "./mutant.ts"

const PIPE = "media/worker/frame-pipe.ts"
const CONNECTION = "media/connection/media-connection.ts"
const SIGNALLING = "media/signals/media-signalling.ts"
const CALL = "media/call/call.ts"
const LOOKS = "media/call/reception-looks.ts"
const OWN = "media/call/own-tracks.ts"
const EARLY = "media/signals/early-signals.ts"
const PEER = "media/call/call-peer.ts"
const LIMITED = "media/connection/limited-description.ts"
const LIMITS = "media/connection/sending-limits.ts"
const LIMITS_TEST = "media/connection/sending-limits.test.ts"
const LOAD = "media/connection/load-watch.ts"
const LOAD_TEST = "media/connection/load-watch.test.ts"
const CALL_TEST = "media/call.test.ts"
const REPLACE_TEST = "media/may-replace.test.ts"
const CLIENT = "client/conference-media.ts"
const FULL_TEST = "media/full-call.test.ts"
const CLIENT_TEST = "media/conference-media.test.ts"
const RING_TEST = "media/frames/key-ring.test.ts"
const FRAMES_TEST = "media/frames/frame-transforms.test.ts"
const WATCH = "media/connection/path-watch.ts"
const WATCH_TEST = "media/connection/path-watch.test.ts"
const REPORTS = "media/worker/sound-reports.ts"
const REPORTS_TEST = "media/frames/sound-reports.test.ts"
const CONNECTION_TEST = "media/connection/media-connection.test.ts"

export const callMutants: readonly MediaMutant[] = [
  // Paths and sizes.
  broken("a page without an audio output sends no microphone", CONNECTION_TEST, [
    "media/connection/loudness.ts",
    "return { level: 0, close: () => undefined }",
    'throw new Error("no audio output")',
  ]),
  broken("a path that is dead in one direction is kept", CALL_TEST, [
    CALL,
    "&& mayReplace(entry, silence)",
    "&& false",
  ]),
  broken("a peer has a connection replaced as often as it likes", CALL_TEST, [
    CALL,
    "&& mayReplace(entry, silence)",
    "",
  ]),
  broken("a late word of silence replaces the next connection", CALL_TEST, [
    CALL,
    "attempt !== entry.attempt) return",
    "false) return",
  ]),
  broken("the end that answers keeps its silence to itself", CALL_TEST, [
    CALL,
    'this.#config.sink.take({ type: "send", to: peer.member, signal })',
    "",
  ]),
  broken("one closing connection stops the looks at all others", CALL_TEST, [
    CONNECTION,
    "await within(report, STATISTICS_MS)",
    "await report",
  ]),
  broken("a silent path is not replaced", CALL_TEST, [
    CALL,
    '(answer === "follow" || answer === "replace")',
    '(answer === "follow")',
  ]),
  broken("a busy machine looks like a silent path", CALL_TEST, [
    PEER,
    "if (packetAgeMs < (isSure ? SILENCE_MS : REPLACE_MS) / 2) return false",
    "",
  ]),
  broken("a link that leaves its path takes a live connection with it", REPLACE_TEST, [
    PEER,
    "(isSure ? SILENCE_MS : REPLACE_MS) / 2",
    "(isSure ? 0 : REPLACE_MS) / 2",
  ]),
  broken("a busy machine reports each moment of silence", WATCH_TEST, [WATCH, " * 2 ** this.#vain.count", ""]),
  broken("a silent path is asked about with each report", WATCH_TEST, [WATCH, "this.#askedAtMs = nowMs", ""]),
  broken("a path that the browser has lost is kept", CALL_TEST, [
    CALL,
    'if (event.type === "lost") return void this.#replace(entry, connection, "replace")',
    "",
  ]),
  broken("a link that is lost in a view without a key is not noticed", WATCH_TEST, [
    WATCH,
    "agreeing && !isLost",
    "agreeing",
  ]),
  broken("a change of the key looks like a silent path", CALL_TEST, [
    CALL,
    'peer.sources.includes("microphone"), this.#isAgreeing]',
    'peer.sources.includes("microphone"), false]',
  ]),
  broken("a vain replacement ends a live connection", CALL_TEST, [
    PEER,
    "entry.former?.isConnected && !isFault",
    "false",
  ]),
  broken("a late answer ends the connection that goes on", CALL_TEST, [
    PEER,
    "if (live) entry.attempt = entry.formerAttempt",
    "",
  ]),
  broken("a former connection is closed while the next one begins to play", CALL_TEST, [
    PEER,
    "}, FORMER_MS)",
    "}, 0)",
  ]),
  broken("a former connection that goes on sends nothing", CALL_TEST, [
    CALL,
    "if (goesOn) this.#own.sendOver(entry.connection)",
    "",
  ]),
  broken("a silent path is reported without end", WATCH_TEST, [WATCH, " || this.#isReported", ""]),
  broken("a silent microphone looks like a silent path", WATCH_TEST, [
    WATCH,
    "if (!expected || silentSinceMs === null)",
    "if (silentSinceMs === null)",
  ]),
  broken("a microphone that was off looks like a silent path", WATCH_TEST, [
    WATCH,
    "this.#countsFromMs = expected ? -Infinity : Infinity",
    "this.#countsFromMs = -Infinity",
  ]),
  broken("the page hears of a silence when it is over", REPORTS_TEST, [
    REPORTS,
    " || (silentMs > 0 && silentMs < WATCHED_MS)",
    "",
  ]),
  broken("the page hears of each sound that goes on", REPORTS_TEST, [
    REPORTS,
    "if (!isNews && !isDue) return null",
    "",
  ]),
  broken("a silence that goes on is not reported", REPORTS_TEST, [REPORTS, "if (!isNews && !isDue)", "if (!isNews)"]),
  broken("a dead path is kept", WATCH_TEST, [WATCH, 'isLost ? "follow" : "replace"', 'isLost ? null : "replace"']),
  broken("a connection is replaced before the link can leave its path", WATCH_TEST, [
    WATCH,
    "isLost ? SILENCE_MS : REPLACE_MS",
    "SILENCE_MS",
  ]),
  broken("a link that is only quiet loses its path", CLIENT_TEST, [CLIENT, "this.#announce([member])", ""]),
  broken("a missing voice is not reported", CALL_TEST, [CALL, 'if (answer === "report")', "if (false)"]),
  broken("both ends replace a connection", CALL_TEST, [
    CALL,
    "if (this.#offersTo(peer.member)) return this.#offer(entry)",
    "return this.#offer(entry)",
  ]),
  broken("a microphone that is switched off goes on over a former connection", CALL_TEST, [
    OWN,
    "for (const each of connectionsOf(peer)) each.send(source, track)",
    "connectionsOf(peer).at(-1)?.send(source, track)",
  ]),
  broken("a slow path gets no more time", CALL_TEST, [
    PEER,
    "entry.connectMs = Math.min(2 * entry.connectMs, CONNECT_MS_MAX)",
    "",
  ]),
  broken("the first probe grows from no maximum", CONNECTION_TEST, [
    LIMITED,
    "(this.#applied = this.#limited(sdp))",
    "withoutContentInHeaders(withConstantBitrate(sdp, this.#packetMs))",
  ]),
  broken("a narrow line is looked at as rarely as others", CALL_TEST, [
    LOOKS,
    "connection.isNarrow) connection.look()",
    "false) connection.look()",
  ]),
  broken("a call that grows keeps its short packets", CALL_TEST, [OWN, "connection?.setPacketMs(packetMs(count))", ""]),
  broken("each change of a call is negotiated, whether it is over or not", CONNECTION_TEST, [
    LIMITED,
    "if (sdp === this.#applied) return",
    "",
  ]),
  broken("short packets in large calls", LIMITS_TEST, [LIMITS, "peers < 3 ? 20 : 40", "20"]),
  broken("a silent connection is replaced as often as before", CALL_TEST, [
    PEER,
    "if (isSure || sinceMs < entry.replaceApartMs) return isSure",
    "if (isSure) return true",
  ]),
  broken("a link's report waits like silence", REPLACE_TEST, [PEER, "if (isSure || sinceMs <", "if (sinceMs <"]),
  broken("a probe does not raise the maximum", CONNECTION_TEST, [LIMITED, "this.#kilobits++", ""]),
  broken("every camera for everybody in a large call", LIMITS_TEST, [
    LIMITS,
    '(source === "screen" || size !== "large")',
    "true",
  ]),

  broken("an overload is not noticed", LOAD_TEST, [LOAD, "share < OVERLOADED_SHARE && ", "share < 0 && "]),
  broken("a hidden page counts as overloaded", CALL_TEST, [
    "media/call/page-turns.ts",
    "isVisible && this.#wasVisible",
    "true",
  ]),
  broken("a screen on a busy machine blames the camera", CALL_TEST, [
    OWN,
    'this.#load.level > 0 && this.#tracks.has("camera")',
    "this.#load.level > 0 && this.#tracks.size > 0",
  ]),
  broken("an overload changes nothing that is sent", LIMITS_TEST, [LIMITS, "REDUCED[load]", "REDUCED[0 * load]"]),
  broken("a camera that is small is never asked for", "media/requests.test.ts", [
    "media/call/wanted-sizes.ts",
    "if (this.has(member) && this.#of",
    "if (this.#of",
  ]),

  broken("a member that has left the call stays in it", CLIENT_TEST, [
    CLIENT,
    "added.length > 0 && this.#hasEntered",
    "added.length > 0 && this.#running",
  ]),

  broken("a way over another member counts as a link", CLIENT_TEST, [CLIENT, 'path !== "relayed-by-member"', "path"]),

  // Floods.
  broken("signals without a limit", "media/media-signal.test.ts", [
    SIGNALLING,
    "if (this.#meter.isOver(from)) {",
    "if (this.#meter.isOver(from) && false) {",
  ]),
  broken("connections without a limit", CALL_TEST, [
    CALL,
    "const waitMs = this.#reopenings.waitMs(member, performance.now())",
    "const waitMs = 0",
  ]),
  broken("the time of an attempt ends the next one", CALL_TEST, [
    PEER,
    "clearTimeout(entry.timer)\n  if (entry",
    "if (entry",
  ]),
  broken("early offers of members that left fill the room of others", CLIENT_TEST, [
    CLIENT,
    "this.#running?.call.retain(new Set([...incarnations.keys(), ...this.#links.keys()]))",
    "",
  ]),
  broken("early offers are lost as soon as anybody enters", CALL_TEST, [
    CALL,
    "const before = this.#peers.size",
    "const before = this.#peers.size; this.#early.retain(new Set([...this.#peers.keys()]))",
  ]),
  broken("a second description, with another certificate", CONNECTION_TEST, [
    CONNECTION,
    "if (this.#isDescribed)",
    "if (this.#closed)",
  ]),
  broken("candidates without a limit", CONNECTION_TEST, [
    CONNECTION,
    "if (this.#candidates++ >= MEDIA_CANDIDATES_MAX) return",
    "",
  ]),
  broken("closed connections stay in the media worker", CALL_TEST, [
    CONNECTION,
    'this.#config.worker.postMessage({ type: "ended", connection: this.#id } satisfies ToMediaWorker)',
    "",
  ]),
  broken("tracks of closed connections stay in the media worker", FRAMES_TEST, [
    "media/worker/frame-transforms.ts",
    "if (of === connection) this.#end(pipe)",
    "void [pipe, of]",
  ]),
  broken("candidates without a limit in a description", CONNECTION_TEST, [
    CONNECTION,
    "if (candidates > MEDIA_CANDIDATES_MAX)",
    "if (candidates > 1e9)",
  ]),
  broken("a connection to everybody", CALL_TEST, [PEER, ".slice(0, CALL_PEERS_MAX)", ""]),
  broken("a call that is full lets others enter", FULL_TEST, [
    CLIENT,
    "if (this.#present().length > CALL_PEERS_MAX) throw callFull()",
    "",
  ]),
  broken("too many who enter at once stay", FULL_TEST, [
    CLIENT,
    "if (running && isFull && ",
    "if (running && false && ",
  ]),
  broken("a member that enters a full call ends the part of another one", FULL_TEST, [
    CLIENT,
    " && performance.now() - running.enteredAtMs < ENTERING_MS",
    "",
  ]),
  broken("a member that enters a full call displaces a peer", FULL_TEST, [
    PEER,
    "before.has(member) ? 0 : 1",
    "before ? 0 : 1",
  ]),
  broken("a member beyond a full call is shown without a connection", FULL_TEST, [
    CLIENT,
    "!call || call.connectionOf(member.id)",
    "true",
  ]),
  broken("a host asks without a limit", "media/requests.test.ts", [
    CLIENT,
    'if (request === "unmute" && this.#requests.isTooSoon(from, performance.now())) return',
    "",
  ]),
  broken("a view lets a host ask again", "media/requests.test.ts", [
    "media/call/host-requests.ts",
    "if (!members.has(member)) this.#askedAtMs.delete(member)",
    "this.#askedAtMs.delete(member)",
  ]),
  broken("early signals without a limit", CALL_TEST, [EARLY, "early.length >= EARLY_MEDIA_SIGNALS_MAX || ", ""]),
  broken("a removed member's connection stays", CALL_TEST, [
    CALL,
    "if (present?.session !== peer.session) this.#drop(member)",
    "void present",
  ]),
  broken("signals of another session", CALL_TEST, [
    CALL,
    "if (session !== (initiator ? this.#config.session : entry.peer.session)) return",
    "void session",
  ]),
  broken("frames that wait without a limit", RING_TEST, [
    "media/keys/held-frames.ts",
    "this.#frames.length > HELD_MEDIA_FRAMES_MAX || this.#bytes > HELD_MEDIA_BYTES_MAX",
    "this.#bytes > 1e12",
  ]),
  broken("frames that wait for the cipher are late", FRAMES_TEST, [
    PIPE,
    "waits || this.#waited ? this.#expire() : 0",
    "this.#expire()",
  ]),
  broken("a key that comes late sends what waited", FRAMES_TEST, [
    PIPE,
    "waits || this.#waited ? this.#expire() : 0",
    "waits ? this.#expire() : 0",
  ]),
  broken("pictures that build on a late one", FRAMES_TEST, [
    PIPE,
    'if (this.#isBroken && frame.type === "delta") this.#drop("late", 1)\n      else await',
    "await",
  ]),
  broken("no picture after a late one", FRAMES_TEST, [PIPE, 'if (frame.type !== "delta") this.#isBroken = false', ""]),
  broken("no key frame when the key comes", FRAMES_TEST, [
    PIPE,
    "if (this.#waited && !waits && this.#isBroken) this.#requestedAtMs = -Infinity",
    "",
  ]),
  broken("frames wait for ever", RING_TEST, [
    "media/keys/held-frames.ts",
    "nowMs - this.#frames[0].atMs > this.#holdMs",
    "nowMs < 0",
  ]),
]
