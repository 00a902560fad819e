/** The key of a frame is revoked while the frame is encrypted, which takes time in a browser. */
import { beforeEach, expect, test, vi } from "vitest"
import { decodeSFrameHeader } from "../../../src/media/sframe/sframe-header.ts"
import { ADA, BOB, clock, EVE, hello, three, two, viewOf, Worker } from "../fake-workers.ts"

let ada: Worker
let bob: Worker

beforeEach(async () => {
  clock.nowMs = 0
  ada = new Worker(ADA)
  bob = new Worker(BOB)
  await ada.secure(three)
  await bob.secure(three)
})

/** Runs once, while the next frame is encrypted. */
function whileEncrypting(run: () => void): void {
  const sealing = vi.spyOn(crypto.subtle, "encrypt").mockImplementationOnce(async (...call) => {
    sealing.mockRestore()
    run()
    return crypto.subtle.encrypt(...call)
  })
}

test("a removed member opens no frame that was encrypted while it was removed", async () => {
  const eve = new Worker(EVE)
  await eve.secure(three)
  const sending = ada.track("send", BOB)
  const installed = new Promise<void>((done) => whileEncrypting(() => (ada.install(two), done())))
  await sending.put(hello)
  await installed
  await ada.secure(two)
  await expect.poll(() => sending.out.length).toBe(1)

  const tapped = eve.track("receive", ADA)
  await tapped.put(...sending.out)
  clock.nowMs = 1001
  eve.transforms.look()
  await expect.poll(() => eve.dropped("receive")).toEqual({ late: 1 })
  expect(tapped.out).toEqual([])

  // Nobody else lacks it.
  await bob.secure(two)
  const received = bob.track("receive", ADA)
  await received.put(...sending.out)
  await expect.poll(() => received.out).toEqual([hello])
  expect(ada.dropped("send")).toEqual({})
  expect(ada.formerPassed).toBe(0)
})

test("frames keep their order when the key of the first one is revoked", async () => {
  const sending = ada.track("send", BOB)
  whileEncrypting(() => ada.install(two))
  await sending.put(hello, hello, hello)
  await ada.secure(two)
  await expect.poll(() => sending.out.length).toBe(3)
  const headers = sending.out.map((frame) => decodeSFrameHeader(frame)!.header)
  expect(headers.map(({ counter }) => Number(counter))).toEqual([0, 1, 2])
  expect(new Set(headers.map(({ keyId }) => keyId)).size).toBe(1)
})

test("a frame keeps its key when a member joins while it is encrypted", async () => {
  const sending = ada.track("send", BOB)
  const four = viewOf(2, ADA, BOB, EVE, { ...EVE, member: "f".repeat(32) as typeof EVE.member })
  whileEncrypting(() => ada.install(four))
  await sending.put(hello)
  const received = bob.track("receive", ADA)
  await expect.poll(() => sending.out.length).toBe(1)
  await received.put(...sending.out)
  await expect.poll(() => received.out).toEqual([hello])
})

test("a frame does not leave when its sender becomes a viewer while it is encrypted", async () => {
  const sending = ada.track("send", BOB)
  whileEncrypting(() => ada.permit(BOB, EVE))
  await sending.put(hello)
  await expect.poll(() => ada.dropped("send")).toEqual({ "not-permitted": 1 })
  expect(sending.out).toEqual([])
})
