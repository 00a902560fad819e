import { expect, test, vi } from "vitest"
import { KeymootError } from "../../src/api/index.ts"
import { openIdentityInNode } from "../../src/node/index.ts"

vi.mock("node-datachannel", () => {
  throw new Error("Cannot find package 'node-datachannel'")
})

test("rejects with a KeymootError when Node has no WebRTC", async () => {
  const error: unknown = await openIdentityInNode({ name: "Bot" }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(KeymootError)
  expect(error).toMatchObject({ code: "unsupported-browser", message: expect.stringContaining("node-datachannel") })
})
