/** Rules of frames that are refused: their headers, their sizes and reports of them. */
import { broken, type MediaMutant } from "./mutant.ts"

const HEADER = "media/sframe/sframe-header.ts"
const SFRAME = "media/sframe/sframe.ts"
const CIPHER = "media/worker/frame-cipher.ts"
const PIPE = "media/worker/frame-pipe.ts"
const BOUND = "media/worker/picture-bound.ts"
const TRANSFORMS = "media/worker/frame-transforms.ts"
const CALL = "media/call/call.ts"
const FORGERY = "media/call/forgery-watch.ts"
const RECEPTION = "media/connection/reception.ts"
const SFRAME_TEST = "media/frames/sframe.test.ts"
const CALL_TEST = "media/call.test.ts"
const FORGERY_TEST = "media/frames/forgery-watch.test.ts"
const BOUND_TEST = "media/frames/picture-bound.test.ts"
const FRAMES_TEST = "media/frames/frame-transforms.test.ts"

export const refusalMutants: readonly MediaMutant[] = [
  broken("a header of no bytes", SFRAME_TEST, [HEADER, "if (configuration === undefined) return null", ""]),
  broken("a header that is cut off", SFRAME_TEST, [HEADER, "end > frame.length || ", ""]),
  broken("a value with zeros before it", SFRAME_TEST, [HEADER, " || bytes[0] === 0", ""]),
  broken("a small value in a byte of its own", SFRAME_TEST, [HEADER, "value > INLINE_MAX && ", ""]),
  broken("a value that is not exact", SFRAME_TEST, [HEADER, " && Number.isSafeInteger(value) ?", " ?"]),
  broken("a frame with a malformed header passes as it is", FRAMES_TEST, [
    CIPHER,
    'if (!decoded) return "malformed"',
    "if (!decoded) return frame",
  ]),
  broken("a frame above the largest is opened", SFRAME_TEST, [
    SFRAME,
    " || frame.length > MEDIA_FRAME_BYTES_MAX + SFRAME_OVERHEAD_BYTES_MAX",
    "",
  ]),
  broken("a frame above the largest is sent", FRAMES_TEST, [
    CIPHER,
    'if (plaintext.length > MEDIA_FRAME_BYTES_MAX) return "too-large"',
    "",
  ]),
  broken("a picture of any size is sent", BOUND_TEST, [CIPHER, "if (fault) return fault", ""]),
  broken("a picture of any size is decoded", BOUND_TEST, [
    CIPHER,
    "(pictureFault(plaintext) ?? asOnePicture(plaintext))",
    "asOnePicture(plaintext)",
  ]),
  broken("a picture behind another one is decoded", BOUND_TEST, [CIPHER, "asOnePicture(plaintext))", "plaintext)"]),
  broken("an index of several pictures", BOUND_TEST, [BOUND, 'return "malformed"\n  const {', "void 0\n  const {"]),
  broken("a header that ends early", BOUND_TEST, [BOUND, 'if (isPastEnd()) return "malformed"', ""]),
  broken("other profiles of VP9", BOUND_TEST, [BOUND, 'if (bits(2) !== 0) return "malformed"', "bits(2)"]),
  broken("a picture of another size than its references", BOUND_TEST, [
    BOUND,
    "has() || has() || has() ? 0",
    "has() || true ? 0",
  ]),
  broken("a large picture without references", BOUND_TEST, [
    BOUND,
    "const isIntra = !isShown && has()",
    "const isIntra = !isShown && has() && false",
  ]),

  // Reports.
  broken("large pictures are not reported", FORGERY_TEST, [RECEPTION, '"too-large", ', ""]),
  broken("nobody hears of forged frames among good ones", CALL_TEST, [
    CALL,
    'this.#config.sink.take({ type: "fault", ...report })',
    "void report",
  ]),
  broken("a member's leave counts as forgery", FORGERY_TEST, [FORGERY, "if (isMixed && wasMixed)", "if (isMixed)"]),
  broken("forged frames are reported at each look", FORGERY_TEST, [
    FORGERY,
    " || this.#reportedAtMs.has(peer.member)",
    "",
  ]),
  broken("a silent look clears a suspicion", FORGERY_TEST, [
    FORGERY,
    "if (passed + counts.dropped - former.dropped <= 0) return null",
    "",
  ]),
  broken("frames are forgotten when their member connects again", CALL_TEST, [
    CALL,
    "entry.connection = connection\n",
    "entry.connection = connection\n    this.#looks = new ReceptionLooks(thread, this.#peers)\n",
  ]),
  broken("frames of closed connections do not count", FRAMES_TEST, [
    TRANSFORMS,
    "this.#keep([...this.#ended, pipe.counts])",
    "",
  ]),
  broken("frames that wait when their connection closes do not count", FRAMES_TEST, [
    PIPE,
    "if (this.#waited) this",
    "if (false) this",
  ]),
  broken("counts of a member whose connection ends late are kept", FRAMES_TEST, [
    TRANSFORMS,
    "this.#keep([...this.#ended, pipe.counts])",
    "this.#ended = sumCounts([...this.#ended, pipe.counts])",
  ]),
  broken("counts of members that have left are kept", FRAMES_TEST, [
    TRANSFORMS,
    "this.#members.some((member) => isSameMember(member, peer))",
    "this.#members.length > 0 && peer",
  ]),
  broken("frames under another member's key id are not reported", FORGERY_TEST, [RECEPTION, ', "foreign-key"]', "]"]),
  broken("frames under a key that nobody has are not counted", FRAMES_TEST, [PIPE, "this.keyless += late", ""]),
  broken("frames under a key that nobody has are not reported", FORGERY_TEST, [
    FORGERY,
    "passed > 0 ? counts.keyless - former.keyless : 0",
    "0",
  ]),
  broken("a member whose proof is late is reported", FORGERY_TEST, [
    FORGERY,
    "passed > 0 ? counts.keyless - former.keyless : 0",
    "counts.keyless - former.keyless",
  ]),
  broken("frames that nobody announced are not reported", FORGERY_TEST, [
    FORGERY,
    "MEDIA_SOURCES.filter((source) => !announced.includes(source))",
    "MEDIA_SOURCES.filter(() => !announced)",
  ]),
  broken("announced frames are reported", FORGERY_TEST, [
    FORGERY,
    "MEDIA_SOURCES.filter((source) => !announced.includes(source))",
    "MEDIA_SOURCES.filter(() => announced)",
  ]),
  broken("a track that cannot be announced is reported", FORGERY_TEST, [
    FORGERY,
    "present?.isLinked && ",
    "present && ",
  ]),
  broken("stray frames are reported at the first look", FORGERY_TEST, [
    FORGERY,
    "strayLooks >= STRAY_LOOKS",
    "strayLooks > 0",
  ]),
  broken("a few stray frames are reported", FORGERY_TEST, [
    FORGERY,
    "sum + frames, keyless) >= FORGED_FRAMES_MIN",
    "sum + frames, keyless) > 0",
  ]),
  broken("a late announcement is reported", FORGERY_TEST, [
    FORGERY,
    "isStray ? watched.strayLooks + 1 : 0",
    "watched.strayLooks + (isStray ? 1 : 0)",
  ]),
  broken("frames of a change of the key are reported", CALL_TEST, [CALL, "if (is) this.#looks.onView()", ""]),
]
