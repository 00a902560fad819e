/** Rules of calls, each with the edits that break it and the unit test that must fail then. */
import type { Edit, Mutant } from "../../../../transport/test/mutants/mutants.ts"

export type MediaMutant = Mutant & { readonly test: string }

const RING = "media/keys/key-ring.ts"
const CIPHER = "media/worker/frame-cipher.ts"
const PIPE = "media/worker/frame-pipe.ts"
const TRANSFORMS = "media/worker/frame-transforms.ts"
const KEYS = "media/epochs/media-keys.ts"
const DESCRIPTION = "media/call/media-description.ts"
const CONNECTION = "media/call/media-connection.ts"
const SIGNALLING = "media/signals/media-signalling.ts"
const CALL = "media/call/call.ts"
const FORGERY = "media/call/forgery-watch.ts"
const FORGERY_TEST = "media/forgery-watch.test.ts"
const LIMITS = "media/call/sending-limits.ts"
const LIMITS_TEST = "media/sending-limits.test.ts"
const LOAD = "media/call/load-watch.ts"
const LOAD_TEST = "media/load-watch.test.ts"
const CALL_TEST = "media/call.test.ts"
const CLIENT = "client/conference-media.ts"
const CLIENT_TEST = "media/conference-media.test.ts"
const RING_TEST = "media/key-ring.test.ts"
const FRAMES_TEST = "media/frame-transforms.test.ts"
const PROOF_TEST = "media/held-proof.test.ts"
const REVOKED_TEST = "media/revoked-keys.test.ts"
const AGAIN_TEST = "media/entering-again.test.ts"
const KEYS_TEST = "media/media-keys.test.ts"
const DESCRIPTION_TEST = "media/media-description.test.ts"
const WATCH = "media/call/path-watch.ts"
const WATCH_TEST = "media/path-watch.test.ts"
const CONNECTION_TEST = "media/media-connection.test.ts"

function broken(name: string, test: string, ...edits: readonly (readonly [string, string, string])[]): MediaMutant {
  return { name, test, edits: edits.map(([file, find, replace]): Edit => ({ file, find, replace })) }
}

export const mediaMutants: readonly MediaMutant[] = [
  // The epoch binds media.
  broken("a removed member's keys stay", RING_TEST, [
    RING,
    "if (keys && !this.#isHere(member)) keys[index] = null",
    "void [keys, index, member]",
  ]),
  broken("late keys of a removed member", RING_TEST, [
    RING,
    "this.#isHere(epoch.view.members[index]!) ? { key, replays } : null",
    "{ key, replays }",
  ]),
  broken("anybody's frames are received", RING_TEST, [RING, 'if (!this.#isHere(from)) return "foreign"', ""]),
  broken("the old key sends after a leave", RING_TEST, [
    RING,
    "if (former && this.isRevoked(former.view)) this.#sending = this.#next = null",
    "void former",
  ]),
  broken("a key that was revoked meanwhile sends", REVOKED_TEST, [
    CIPHER,
    'return this.#ring.isRevoked(sending.view) ? "revoked" : sealed',
    "return sealed",
  ]),
  broken("a frame is lost with its key", REVOKED_TEST, [
    PIPE,
    'return this.#drop("late", this.#held.putBack(frame, bytes.byteLength, arrivedAtMs))',
    "return",
  ]),
  broken("a viewer's frame leaves after it was encrypted", REVOKED_TEST, [
    CIPHER,
    'if (!this.#ring.mayPublish) return "not-permitted"\n    return this.#ring.isRevoked',
    "return this.#ring.isRevoked",
  ]),
  broken("a key sends before it is proved", RING_TEST, [
    RING,
    "        return this.#take(input.view, input.keys, input.firstCounter)",
    "        this.#take(input.view, input.keys, input.firstCounter)\n        return this.#secure(input.view, 0)",
  ]),
  broken("former keys stay for ever", RING_TEST, [RING, "retiresAtMs > input.nowMs", "retiresAtMs > 0"]),
  broken("former keys stop at once", RING_TEST, [RING, "nowMs + FORMER_KEYS_MS", "nowMs"]),
  broken("keys of any number of views", RING_TEST, [RING, ".slice(0, MEDIA_EPOCHS_MAX)", ""]),
  broken("keys survive the end", RING_TEST, [RING, "    this.#epochs = []\n    this.#sending = this.#next = null", ""]),
  broken("a newcomer gets earlier keys", KEYS_TEST, [
    KEYS,
    "  onAgreeing({ id, epoch, members }: View): void {\n    this.#erase()",
    "  onAgreeing({ id, epoch, members }: View): void {",
  ]),
  broken("a view waits for the former keys", KEYS_TEST, [
    KEYS,
    "this.#port?.postMessage(message)",
    "this.#postAfterKeys(message)",
  ]),
  broken("keys without the view", KEYS_TEST, [
    KEYS,
    "exportKey(epochKey, LABEL, hexToBytes(id), SECRET_BYTES)",
    "exportKey(epochKey, LABEL, new Uint8Array(32), SECRET_BYTES)",
  ]),
  broken("keys without the incarnation", KEYS_TEST, [KEYS, "BigInt(incarnation)", "0n"]),
  broken("one key for all senders", KEYS_TEST, [KEYS, "memberIdToBytes(member), number", "number"]),
  broken("counters start again with each entry", AGAIN_TEST, [KEYS, "this.#keyedWorkers++ * COUNTERS_PER_WORKER", "0"]),
  broken("counters start again in the media worker", AGAIN_TEST, [
    RING,
    "counter: newest.firstCounter, fromMs",
    "counter: 0, fromMs",
  ]),
  broken("keys can be extracted", KEYS_TEST, [KEYS, '"AES-GCM", false', '"AES-GCM", true']),
  broken("former keys open frames after the view without a member", FRAMES_TEST, [
    RING,
    'if (arrivedAtMs >= formerAtMs || (hasSwitched && formerAtMs < Infinity)) return "former"',
    "",
  ]),
  broken("frames in flight lose their former key", FRAMES_TEST, [RING, "nowMs + IN_FLIGHT_MS", "nowMs"]),
  broken("former keys open frames after the next key", FRAMES_TEST, [
    RING,
    " || (hasSwitched && formerAtMs < Infinity)",
    "",
  ]),
  broken("former keys open frames until the sender switches", FRAMES_TEST, [RING, "arrivedAtMs >= formerAtMs || ", ""]),
  broken("a microphone's key ends that of the camera", RING_TEST, [
    RING,
    "keys?.[own]?.replays[source].isUsed ?? false",
    "Object.values(keys?.[own]?.replays ?? {}).some(({ isUsed }) => isUsed)",
  ]),
  broken("a second proof gives former keys more time", RING_TEST, [
    RING,
    "epoch.formerAtMs = Math.min(epoch.formerAtMs, nowMs + IN_FLIGHT_MS)",
    "epoch.formerAtMs = nowMs + IN_FLIGHT_MS",
  ]),
  broken("a join ends former keys", RING_TEST, [
    RING,
    "if (this.isRevoked(epoch.view)) epoch.formerAtMs",
    "epoch.formerAtMs",
  ]),

  broken("no count of frames under a former key", FRAMES_TEST, [PIPE, "this.formerPassed++", "void 0"]),
  broken("frames in flight count as sent under a former key", FRAMES_TEST, [
    RING,
    "return epoch !== undefined && this.isRevoked(epoch.view)",
    "return epoch !== undefined",
  ]),

  // The proof of a key follows the end of the former one.
  broken("a proof does not wait for the media worker", PROOF_TEST, [
    KEYS,
    "if (!this.#port || this.#isSilent) return prove()",
    "return prove()",
  ]),
  broken("the engine proves by itself", "driver/held-proof.test.ts", [
    "driver/group-driver.ts",
    "if (!media) return this.#sending.pushAgreement(body)",
    "return this.#sending.pushAgreement(body)",
  ]),
  broken("a media worker that hangs stops the conference", KEYS_TEST, [
    KEYS,
    "      this.#isSilent = true\n      this.#endWaiting()",
    "      this.#isSilent = true",
  ]),
  broken("a media worker that hangs delays each view", KEYS_TEST, [KEYS, "this.#isSilent = true", ""]),
  broken("a media worker is never waited for again", KEYS_TEST, [
    KEYS,
    "    this.#isSilent = false\n    if (view",
    "    if (view",
  ]),
  broken("the reply for a former view", KEYS_TEST, [
    KEYS,
    "if (view === this.#view?.id) this.#endWaiting()",
    "this.#endWaiting()",
  ]),
  broken("the reply of a former media worker", KEYS_TEST, [KEYS, "if (port !== this.#port) return", "void port"]),
  broken("the proof of a former view", KEYS_TEST, [
    KEYS,
    "    this.#stopWaiting()\n    this.#secret?",
    "    this.#secret?",
  ]),
  broken("a call that is over delays proofs", KEYS_TEST, [
    KEYS,
    "if (!port) return this.#endWaiting()",
    "if (!port) return",
  ]),
  broken("the media worker does not reply", PROOF_TEST, [
    TRANSFORMS,
    'message.type === "keyed" ? { type: "installed", view: message.view } : null',
    "null",
  ]),

  // The connection authenticates the sender.
  broken("the key id of another member", RING_TEST, [RING, "if (!named || !isSameMember(named, from))", "if (!named)"]),
  broken("a viewer's frames", FRAMES_TEST, [RING, 'if (!this.#speakers.has(from.member)) return "not-permitted"', ""]),
  broken("a viewer's frames while they are decrypted", FRAMES_TEST, [
    CIPHER,
    'if (now !== receiving) return typeof now === "string" ? REFUSALS[now] : "foreign-key"',
    "void now",
  ]),
  broken(
    "a viewer sends",
    FRAMES_TEST,
    [CIPHER, 'if (!this.#ring.mayPublish) return "not-permitted"\n    const sending', "const sending"],
    [
      CIPHER,
      'if (!this.#ring.mayPublish) return "not-permitted"\n    return this.#ring.isRevoked',
      "return this.#ring.isRevoked",
    ],
    [CIPHER, "return this.#ring.mayPublish && !this.#ring.hasSendingKey", "return !this.#ring.hasSendingKey"],
  ),
  broken("everybody may publish", KEYS_TEST, [
    KEYS,
    'members.filter((member) => this.#config.rules.role(member) !== "viewer")',
    "members",
  ]),
  broken("roles of the last view", KEYS_TEST, [
    KEYS,
    'this.#post({ type: "view", view: this.#view })\n    this.onRoles()\n  }\n\n  /** Roles',
    'this.#post({ type: "view", view: this.#view })\n  }\n\n  /** Roles',
  ]),
  broken("a viewer goes on publishing", CLIENT_TEST, [CLIENT, "if (this.#isViewer) this.#stopPublishing()", ""]),
  broken("tracks of a viewer", CLIENT_TEST, [CLIENT, 'member.role === "viewer" ? [] : state.sources', "state.sources"]),
  broken("tracks that nobody announced", CLIENT_TEST, [
    CLIENT,
    'member.role === "viewer" ? [] : state.sources',
    'member.role === "viewer" ? [] : MEDIA_SOURCES',
  ]),

  // Each frame once, and in its track.
  broken("no replay window", FRAMES_TEST, [CIPHER, "    replays.accept(counter)\n", ""]),
  broken(
    "a forged frame counts as received",
    FRAMES_TEST,
    // The second check first, since the first edit makes another place like it.
    [CIPHER, '    if (!replays.isFresh(counter)) return "replayed"\n    replays.accept(counter)\n', ""],
    [
      CIPHER,
      "    const plaintext = await openFrame(",
      "    replays.accept(counter)\n    const plaintext = await openFrame(",
    ],
  ),
  broken("one frame twice at a time", FRAMES_TEST, [
    CIPHER,
    '    if (!replays.isFresh(counter)) return "replayed"\n    replays.accept(counter)\n',
    "    replays.accept(counter)\n",
  ]),
  broken("a frame of another source", FRAMES_TEST, [
    "media/keys/media-view.ts",
    "Uint8Array.of(1 + MEDIA_SOURCES.indexOf(source))",
    "Uint8Array.of(1 + 0 * MEDIA_SOURCES.indexOf(source))",
  ]),
  broken("counters start again", RING_TEST, [
    RING,
    "if (own && this.#sending?.key !== own.key && this.#next?.key !== own.key)",
    "if (own)",
  ]),
  broken("the next key waits at a newcomer", RING_TEST, [
    RING,
    "has ? this.#sending : (this.#next ?? this.#sending)",
    "this.#sending",
  ]),
  broken("the next key is used before workers have it", "media/rekey.test.ts", [
    RING,
    "if (!this.#sending) this.#switch()",
    "this.#switch()",
  ]),
  broken("joins delay each other's keys", RING_TEST, [RING, "if (this.#next) this.#switch()\n", ""]),
  broken("a newcomer's key is used after it left", RING_TEST, [
    RING,
    "this.isRevoked(former.view)) this.#sending = this.#next = null",
    "this.isRevoked(former.view)) this.#sending = null",
  ]),
  broken("one counter for all frames", RING_TEST, [RING, "counter: sending.counter++", "counter: sending.counter"]),

  // No frame passes unencrypted.
  broken("plaintext passes without a key", FRAMES_TEST, [
    PIPE,
    "if (waits) break",
    "if (waits) {\n        this.#held.shift()\n        await this.#config.writer.write(frame)\n        continue\n      }",
  ]),
  broken("a refused frame passes as it is", FRAMES_TEST, [
    PIPE,
    'if (typeof result === "string") return this.#drop(result, 1)',
    'if (typeof result === "string") return writer.write(frame)',
  ]),
  broken("a failing cipher lets its frame pass", FRAMES_TEST, [
    PIPE,
    '.catch(() => "forged" as const)',
    ".catch(() => bytes)",
  ]),
  broken("tracks without keys are piped through", FRAMES_TEST, [
    TRANSFORMS,
    "if (!this.#cipher) return void this.#early.push(transformer)",
    "if (!this.#cipher) return void transformer.readable.pipeTo(transformer.writable)",
  ]),
  broken(
    "a track goes to a sender without transform",
    CONNECTION_TEST,
    [CONNECTION, 'if (track && !sender.transform) throw new Error("a sender has no transform")', ""],
    [CONNECTION, '    transceiver.sender.transform = transform("send")\n', ""],
  ),
  broken("a receiver without transform", CONNECTION_TEST, [
    CONNECTION,
    '    transceiver.receiver.transform = transform("receive")\n',
    "",
  ]),
  broken("a receiver's transform comes a task later", CONNECTION_TEST, [
    CONNECTION,
    'transceiver.receiver.transform = transform("receive")',
    'setTimeout(() => (transceiver.receiver.transform = transform("receive")))',
  ]),
  broken(
    "a sender's transform comes after its track",
    CONNECTION_TEST,
    [CONNECTION, '    transceiver.sender.transform = transform("send")\n', ""],
    [
      CONNECTION,
      "    this.#apply(source)\n  }\n\n  #apply",
      '    this.#apply(source)\n    transceiver.sender.transform = transform("send")\n  }\n\n  #apply',
    ],
    [CONNECTION, 'if (track && !sender.transform) throw new Error("a sender has no transform")', ""],
  ),

  // Descriptions.
  broken("a description with a foreign fingerprint", DESCRIPTION_TEST, [
    DESCRIPTION,
    'return former !== null && !isIceRestart(withExtensionsOf(sdp, former), sdp) ? "changed" : null',
    "return null",
  ]),
  broken("a header extension that was not agreed", DESCRIPTION_TEST, [
    DESCRIPTION,
    "!isIceRestart(withExtensionsOf(sdp, former), sdp)",
    '!isIceRestart(former.replace(/a=extmap:.*\\r\\n/gu, ""), sdp.replace(/a=extmap:.*\\r\\n/gu, ""))',
  ]),
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
  broken("another codec first", DESCRIPTION_TEST, [DESCRIPTION, 'return "codec"', "continue"]),
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
  broken("lines with spaces that parsers skip", DESCRIPTION_TEST, [DESCRIPTION, "[A-Za-z]=[!-~]", ""]),
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

  // Paths and sizes.
  broken("a silent path is not looked for again", CONNECTION_TEST, [
    CONNECTION,
    'if (output === "restart") this.#restartIce()',
    "",
  ]),
  broken("a silent path gets offers without end", WATCH_TEST, [
    WATCH,
    "return answer === this.#answer ? null : (this.#answer = answer)",
    "return (this.#answer = answer)",
  ]),
  broken("a silent microphone looks like a silent path", WATCH_TEST, [
    WATCH,
    "if (!expected || sounds !== this.#sound.count)",
    "if (sounds !== this.#sound.count)",
  ]),
  broken("a microphone that was off looks like a silent path", WATCH_TEST, [
    WATCH,
    "seenAtMs: expected && sounds > 0 ? nowMs : Infinity",
    "seenAtMs: nowMs",
  ]),
  broken("a dead path is kept", WATCH_TEST, [WATCH, 'linkLostAtMs > seenAtMs ? "replace" : kept', "kept"]),
  broken("ICE restarts before the link can leave its path", WATCH_TEST, [
    WATCH,
    'nowMs - seenAtMs > RESTART_MS ? "restart" : "report"',
    '"restart"',
  ]),
  broken("a link that is only quiet loses its path", CLIENT_TEST, [CLIENT, "this.#announce([member])", ""]),
  broken("a missing voice is not reported", CALL_TEST, [
    CALL,
    'else if (answer && answer !== "replace")',
    "else if (false)",
  ]),
  broken("both ends replace a connection", CALL_TEST, [
    CALL,
    'if (answer === "replace" && this.#offersTo(peer.member))',
    'if (answer === "replace")',
  ]),
  broken("a microphone that is switched off goes on over a former connection", CALL_TEST, [
    CALL,
    "for (const each of connectionsOf(entry)) each.send(source, track)",
    "currentOf(entry)?.send(source, track)",
  ]),
  broken("a slow path gets no more time", CALL_TEST, [
    CALL,
    "entry.connectMs = Math.min(2 * entry.connectMs, CONNECT_MS_MAX)",
    "",
  ]),
  broken("two offers at a time", CONNECTION_TEST, [CONNECTION, "initiator || this.#isOffering", "initiator"]),
  broken("the first probe grows from no maximum", CONNECTION_TEST, [
    CONNECTION,
    "sdp: this.#permitted(sdp) })",
    "sdp: withoutLoudness(withConstantBitrate(sdp)) })",
  ]),
  broken("a probe does not raise the maximum", CONNECTION_TEST, [CONNECTION, "this.#kilobits++", ""]),
  broken("every camera for everybody in a large call", LIMITS_TEST, [
    LIMITS,
    '(source === "screen" || size !== "large")',
    "true",
  ]),

  broken("an overload is not noticed", LOAD_TEST, [LOAD, "share < OVERLOADED_SHARE && ", "share < 0 && "]),
  broken("a hidden page counts as overloaded", CALL_TEST, [CALL, "!before || !visible || ", ""]),
  broken("a screen on a busy machine blames the camera", CALL_TEST, [
    CALL,
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

  // Floods.
  broken("signals without a limit", "media/media-signal.test.ts", [
    SIGNALLING,
    "if (this.#meter.isOver(from)) {",
    "if (this.#meter.isOver(from) && false) {",
  ]),
  broken("connections without a limit", CALL_TEST, [
    CALL,
    "if (nowMs - (this.#openedAtMs.get(from) ?? -Infinity) < REOPEN_APART_MS) return",
    "",
  ]),
  broken("restarts of ICE without a limit", CONNECTION_TEST, [
    CONNECTION,
    'if (this.#descriptions++ > 0 && !this.#mayRestart("peer"))',
    "if (this.#closed)",
  ]),
  broken("own restarts of ICE without a limit", CONNECTION_TEST, [CONNECTION, 'if (this.#mayRestart("own")) ', ""]),
  broken("candidates without a limit", CONNECTION_TEST, [
    CONNECTION,
    "if (this.#candidates++ >= MEDIA_CANDIDATES_MAX) return",
    "",
  ]),
  broken("an honest end restarts ICE too often", CONNECTION_TEST, [
    "media/call/ice-restarts.ts",
    "OWN_MEDIA_RESTARTS_BURST = 8",
    "OWN_MEDIA_RESTARTS_BURST = 16",
  ]),
  broken("offers without a limit", CALL_TEST, [CALL, "if (waitMs > 0) return void", "if (waitMs > 1e9) return void"]),
  broken("nobody hears of forged frames among good ones", CALL_TEST, [
    CALL,
    "if (this.#forgeries.step(member, entry.counts, counts, performance.now()))",
    "if (false)",
  ]),
  broken("a member's leave counts as forgery", FORGERY_TEST, [FORGERY, " || !wasMixed", ""]),
  broken("forged frames are reported at each look", FORGERY_TEST, [FORGERY, " || this.#reportedAtMs.has(member)", ""]),
  broken("frames under another member's key id are not reported", FORGERY_TEST, [
    "media/call/reception.ts",
    ', "foreign-key"]',
    "]",
  ]),
  broken("a connection to everybody", CALL_TEST, [CALL, "all.slice(0, CALL_PEERS_MAX)", "all"]),
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
  broken("early signals without a limit", CALL_TEST, [CALL, "early.length >= EARLY_MEDIA_SIGNALS_MAX || ", ""]),
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
