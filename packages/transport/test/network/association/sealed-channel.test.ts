import { describe, expect, test } from "vitest"
import { SHORT_TURN_BYTES_MAX } from "../../../src/bounds/network-bounds.ts"
import { SealedChannel } from "../../../src/network/association/channel.ts"
import { createHop } from "../../../src/network/association/hop.ts"
import { associationKeys, type Role } from "../../../src/network/association/transcript.ts"
import { Random } from "../../../src/testing/random/random.ts"

/** Chromium's data channels: packets of 1,191 bytes, 28 of them for headers. */
const PACKET_PAYLOAD_BYTES = 1_163

const channel = (role: Role) => {
  const { hop } = associationKeys(new Uint8Array(32).fill(1), new Uint8Array(32))
  return new SealedChannel(createHop(hop, role), role, new Random(1), 0, null)
}

describe("the messages of a turn", () => {
  test.each([[[7_000]], [[3_000, 40, 7_000]], [[SHORT_TURN_BYTES_MAX]]])(
    "go in frames of one packet when they are short: %j",
    (lengths) => {
      const messages = lengths.map((length, index) => new Uint8Array(length).fill(index + 1))
      const [from, to] = [channel("initiator"), channel("responder")]
      for (const message of messages) from.queue(message)
      const frames = from.flush().reliable
      expect(Math.max(...frames.map(({ length }) => length))).toBeLessThanOrEqual(PACKET_PAYLOAD_BYTES)
      const received = frames.map((frame) => to.open(frame, 0)).flat()
      expect(received).toEqual(messages.map((bytes) => ({ type: "message", bytes })))
    },
  )

  test("go in few frames when they are long and the link is fast", () => {
    const from = channel("initiator")
    for (let sent = 0; sent <= SHORT_TURN_BYTES_MAX; sent += 1_000) from.queue(new Uint8Array(1_000), true)
    expect(from.flush().reliable).toHaveLength(1)
  })

  test("go in frames of one packet when they are long and the link may be slow", () => {
    const from = channel("initiator")
    from.queue(new Uint8Array(100 * 1024), false)
    const lengths = from.flush().reliable.map(({ length }) => length)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(PACKET_PAYLOAD_BYTES)
  })
})
