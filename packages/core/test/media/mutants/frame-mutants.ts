/** Rules of frames and their keys. */
import { broken, type MediaMutant } from "./mutant.ts"

const RING = "media/keys/key-ring.ts"
const VIEW = "media/keys/media-view.ts"
const CIPHER = "media/worker/frame-cipher.ts"
const PIPE = "media/worker/frame-pipe.ts"
const TRANSFORMS = "media/worker/frame-transforms.ts"
const KEYS = "media/epochs/media-keys.ts"
const CONNECTION = "media/connection/media-connection.ts"
const CLIENT = "client/conference-media.ts"
const CLIENT_TEST = "media/conference-media.test.ts"
const RING_TEST = "media/frames/key-ring.test.ts"
const FRAMES_TEST = "media/frames/frame-transforms.test.ts"
const PROOF_TEST = "media/frames/held-proof.test.ts"
const REVOKED_TEST = "media/frames/revoked-keys.test.ts"
const AGAIN_TEST = "media/entering-again.test.ts"
const KEYS_TEST = "media/frames/media-keys.test.ts"
const CONNECTION_TEST = "media/connection/media-connection.test.ts"

export const frameMutants: readonly MediaMutant[] = [
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
    'if (!this.#ring.maySendTo(peer)) return "not-permitted"\n    return this.#ring.isRevoked',
    "return this.#ring.isRevoked",
  ]),
  broken("a key sends before it is proved", RING_TEST, [
    RING,
    "        return this.#take(input.view, input.keys, input.firstCounter)",
    "        this.#take(input.view, input.keys, input.firstCounter)\n        return this.#secure(input.view, 0)",
  ]),
  broken("former keys stay for ever", RING_TEST, [RING, "retiresAtMs > input.nowMs", "retiresAtMs > 0"]),
  broken("former keys stop at once", RING_TEST, [RING, "nowMs + FORMER_KEYS_MS", "nowMs"]),
  broken("keys of any number of views", RING_TEST, [RING, "index < MEDIA_EPOCHS_MAX ||", "index >= 0 ||"]),
  broken("no key in use while many views follow", RING_TEST, [RING, " || secured.includes(each)", ""]),
  broken("sizes of sounds that tell who speaks", FRAMES_TEST, [
    PIPE,
    "padding?.pad(bytes) ?? bytes",
    "(void padding, bytes)",
  ]),
  broken("sounds of a browser that ignores a constant bitrate", CONNECTION_TEST, [
    CONNECTION,
    "&& ignoresConstantBitrate(codecs)",
    "&& ignoresConstantBitrate(codecs) === null",
  ]),
  broken("key ids with few bits of the epoch", RING_TEST, [VIEW, "2 ** 45", "256"]),
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
    [CIPHER, 'if (!this.#ring.maySendTo(peer)) return "not-permitted"\n    const sending', "const sending"],
    [
      CIPHER,
      'if (!this.#ring.maySendTo(peer)) return "not-permitted"\n    return this.#ring.isRevoked',
      "return this.#ring.isRevoked",
    ],
    [CIPHER, "return this.#ring.mayPublish && !this.#ring.hasSendingKey", "return !this.#ring.hasSendingKey"],
  ),
  broken("everybody may publish", KEYS_TEST, [KEYS, 'rules.role(member) !== "viewer" && ', ""]),
  broken("removed members publish until the next view", KEYS_TEST, [KEYS, " && !removed.includes(member)", ""]),
  broken("removed members hear until the next view", FRAMES_TEST, [
    RING,
    "this.mayPublish && !this.#removed.has(member)",
    "this.mayPublish",
  ]),
  broken("roles of the last view", KEYS_TEST, [
    KEYS,
    'this.#post({ type: "view", view: this.#view })\n    this.onRoles()\n  }\n\n  /**\n   * Roles',
    'this.#post({ type: "view", view: this.#view })\n  }\n\n  /**\n   * Roles',
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
  broken("a browser without transforms enters a call", "media/entering.test.ts", [
    "media/call/entering-checks.ts",
    'if (typeof RTCRtpScriptTransform === "undefined") {',
    "if (false) {",
  ]),
  broken("a member that waits for a host enters a call", "media/entering.test.ts", [
    "client/lazy-media.ts",
    'if (this.#config.present.of("admission").waiting)',
    "if (false)",
  ]),
  broken("a call goes on without its media worker", "media/conference-media.test.ts", [
    "media/call/media-thread.ts",
    "(this.#isLoaded ? this.#fail() : resolve(false))",
    "resolve(false)",
  ]),
  broken("a media worker is silent for ever", "media/connection/media-thread.test.ts", [
    "media/call/media-thread.ts",
    "if (++this.#question.checks >= UNANSWERED_CHECKS_MAX) this.#fail()",
    "",
  ]),
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
      "    this.#apply(source)\n    this.#applyLimits(source)\n",
      '    this.#apply(source)\n    this.#applyLimits(source)\n    transceiver.sender.transform = transform("send")\n',
    ],
    [CONNECTION, 'if (track && !sender.transform) throw new Error("a sender has no transform")', ""],
  ),
]
