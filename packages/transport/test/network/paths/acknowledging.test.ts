import { expect, test } from "vitest"
import { ReliableSession, sessionNonce } from "../../../src/network/link/reliable-session.ts"

test("acknowledges a message again that comes again: the first answer may be lost", () => {
  const session = new ReliableSession(sessionNonce(1, new Uint8Array(8)))
  expect(session.receive(1)).toBe("new")
  const acknowledgement = { kind: "ack", received: 1 }
  expect([session.ack(), session.ack()]).toEqual([acknowledgement, null])
  expect(session.receive(1)).toBe("known")
  expect([session.ack(), session.ack()]).toEqual([acknowledgement, null])
})
