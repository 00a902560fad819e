/** Rules of frames that are refused: their headers and their sizes. */
import { broken, type MediaMutant } from "./mutant.ts"

const HEADER = "media/sframe/sframe-header.ts"
const SFRAME = "media/sframe/sframe.ts"
const CIPHER = "media/worker/frame-cipher.ts"
const SFRAME_TEST = "media/sframe.test.ts"
const FRAMES_TEST = "media/frame-transforms.test.ts"

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
]
