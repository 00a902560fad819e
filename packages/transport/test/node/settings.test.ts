import { expect, test, vi } from "vitest"
import { nodeWebRtc } from "../../src/node/index.ts"

/** A member acknowledges within a tick of 50 ms. */
const ANSWER_MS = 50
/** The shortest timeout of libdatachannel after which a packet is sent again. */
const RETRANSMISSION_MS = 200

test("sends the acknowledgement of SCTP along with the answer when a message comes", () => {
  const setSctpSettings = vi.fn()
  nodeWebRtc({ PeerConnection: vi.fn(), setSctpSettings })
  const [{ delayedSackTime }] = setSctpSettings.mock.calls[0] as [{ delayedSackTime: number }]
  expect(delayedSackTime).toBeGreaterThan(ANSWER_MS)
  expect(delayedSackTime).toBeLessThan(RETRANSMISSION_MS)
})
