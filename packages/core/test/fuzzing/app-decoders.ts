/** The app's readers of what other members put into documents, awareness states and channels. */
import type { Decoder } from "@keymoot/transport/testing"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { createDecoder, readAny } from "lib0/decoding"
import { encode, writeAny } from "lib0/encoding"
import { readElement } from "../../../../apps/web/src/board/elements/element.ts"
import { readPresence } from "../../../../apps/web/src/board/elements/fields.ts"
import { readSeen } from "../../../../apps/web/src/board/follow.ts"
import { readImageHeader } from "../../../../apps/web/src/files/imageHeader.ts"
import { decodeMark, encodeMark } from "../../../../apps/web/src/session/marks.ts"
import { readDoing } from "../../../../apps/web/src/session/presence.ts"
import { decodeReply, encodeReply } from "../../../../apps/web/src/session/reply.ts"
import { paused, readTimer, started } from "../../../../apps/web/src/tools/timer/timer.ts"
import { decodePollMessage, type PollMessage } from "../../../../apps/web/src/tools/votes/polls.ts"
import { arrow, rectangle, stroke, text } from "../../../../apps/web/test/board/elements.ts"

/** A reader of values, as Yjs encodes them. The value that it returns has to be valid itself. */
function ofValues<T>(samples: readonly unknown[], read: (value: unknown) => T | null): Decoder {
  const again = (bytes: Uint8Array): null => {
    const value = read(valueIn(bytes))
    if (value !== null && JSON.stringify(read(value)) !== JSON.stringify(value))
      throw new Error("a value that was read reads differently")
    return null
  }
  return [samples.map((sample) => encode((encoder) => writeAny(encoder, sample as never))), again]
}

/** undefined for bytes that Yjs refuses. */
function valueIn(bytes: Uint8Array): unknown {
  try {
    return readAny(createDecoder(bytes))
  } catch {
    return undefined
  }
}

/** A reader of messages, which are texts. The message that it returns has to read the same again. */
function ofTexts<T>(samples: readonly T[], write: (value: T) => string, read: (text: string) => T | null): Decoder {
  const again = (bytes: Uint8Array): null => {
    const value = read(new TextDecoder().decode(bytes))
    if (value !== null && JSON.stringify(read(write(value))) !== JSON.stringify(value))
      throw new Error("a message that was read reads differently")
    return null
  }
  return [samples.map((sample) => utf8ToBytes(write(sample))), again]
}

const timer = started(60_000, 1_700_000_000_000)
const polls: readonly PollMessage[] = [
  { type: "poll", question: "When?", options: ["Now", "Later"], several: true, hidden: false },
  { type: "vote", of: "m1", chosen: [0, 1], turn: 2 },
  { type: "close", of: "m1" },
]
const ascii = (letters: string): number[] => [...utf8ToBytes(letters)]
/** As in the specifications of PNG, GIF, JPEG and WebP. */
const pictures = [
  [0x89, ...ascii("PNG\r\n\x1a\n"), 0, 0, 0, 13, ...ascii("IHDR"), 0, 0, 3, 0x20, 0, 0, 2, 0x58],
  [...ascii("GIF89a"), 0x20, 3, 0x58, 2, 0, 0, 0, 0x2c, 0, 0, 0, 0, 0x20, 3, 0x58, 2, 0],
  [0xff, 0xd8, 0xff, 0xe0, 0, 6, ...ascii("JFIF"), 0xff, 0xc2, 0, 17, 8, 2, 0x58, 3, 0x20, 3],
  [...ascii("RIFF"), 0, 0, 0, 0, ...ascii("WEBPVP8X"), 0, 0, 0, 0, 0, 0, 0, 0, 0x1f, 3, 0, 0x57, 2, 0],
]

export const decoders: Readonly<Record<string, Decoder>> = {
  element: ofValues([rectangle("e"), stroke("e"), arrow("e"), text("e")], (value) => readElement("e", value)),
  pointer: ofValues(
    [
      { pointer: { x: 1, y: 2.5, tool: "laser" }, button: "up", selectedElementIds: { e: true } },
      { pointer: null, button: "down", selectedElementIds: {} },
    ],
    readPresence,
  ),
  view: ofValues([{ x: -5, y: 0.5, width: 800, height: 600 }], readSeen),
  activity: ofValues([{ typing: true, idle: false, hand: true }], readDoing),
  timer: ofValues([timer, paused(timer, 1_700_000_010_000)], readTimer),
  mark: ofTexts(
    [
      { type: "edit", of: "m1", text: "Hello" },
      { type: "delete", of: "m1" },
      { type: "reaction", of: "m1", emoji: "👍", on: true },
    ],
    encodeMark,
    decodeMark,
  ),
  poll: ofTexts(polls, (message) => JSON.stringify(message), decodePollMessage),
  reply: ofTexts([{ to: "m1", text: "Yes" }], ({ to, text }) => encodeReply(to, text), decodeReply),
  picture: [pictures.map((bytes) => Uint8Array.from(bytes)), (bytes) => (readImageHeader(bytes), null)],
}
