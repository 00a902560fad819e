/** An engine proves a key before its media worker has read that a member left: messages between workers take time. */
import type { View } from "@keymoot/transport"
import { expect, test } from "vitest"
import { MediaKeys } from "../../../src/media/epochs/media-keys.ts"
import type { MediaKeyMessage } from "../../../src/media/keys/key-messages.ts"
import type { MediaMember } from "../../../src/media/keys/media-view.ts"
import { decodeSFrameHeader } from "../../../src/media/sframe/sframe-header.ts"
import { ADA, BOB, EVE, hello, Worker } from "../fake-workers.ts"

function viewOf(epoch: number, ...members: MediaMember[]): View {
  const present = members.map(({ member, incarnation }) => ({ id: member, incarnation }))
  return { id: String(epoch).repeat(64), epoch, members: present } as unknown as View
}

test("no frame under the former key follows the proof of the next one", async () => {
  const worker = new Worker(ADA)
  const waiting: MediaKeyMessage[] = []
  const faults = { fail: (error: unknown) => expect.fail(String(error)) }
  const keys = new MediaKeys({ self: ADA, rules: { role: () => "editor", isRemoved: () => false }, faults })
  let listener: (event: { readonly data: { readonly type: "installed"; readonly view: string } }) => void
  keys.attach({
    postMessage: (message) => waiting.push(message),
    addEventListener: (_, added) => (listener = added),
    start: () => undefined,
    close: () => undefined,
  })
  /** The worker reads its messages. */
  const read = (): void => {
    for (const message of waiting.splice(0)) {
      const reply = worker.transforms.handle(message)
      if (reply) listener({ data: reply })
    }
  }
  const begin = async (view: View, prove: () => void): Promise<void> => {
    keys.onAgreeing(view)
    keys.onKeyed(view, new Uint8Array(32).fill(view.epoch))
    keys.onceInstalled(prove)
    await expect.poll(() => waiting.some(({ type }) => type === "keyed")).toBe(true)
  }

  const three = viewOf(1, ADA, BOB, EVE)
  await begin(three, () => keys.onSecured(three))
  read()
  await expect.poll(() => waiting.length).toBe(1)
  read()
  const track = worker.track("send", BOB)
  let framesBeforeProof = 0
  const two = viewOf(2, ADA, BOB)
  await begin(two, () => {
    framesBeforeProof = track.out.length
    keys.onSecured(two)
  })
  // The worker does not know yet that Eve has left.
  await track.put(hello)
  await expect.poll(() => track.out.length).toBe(1)
  read()
  await track.put(hello)
  await expect.poll(() => waiting.length).toBe(1)
  read()
  await expect.poll(() => track.out.length).toBe(2)
  const epochs = track.out.map((frame) => Math.floor(decodeSFrameHeader(frame)!.header.keyId / 256))
  expect(epochs).toEqual([1, 2])
  expect(epochs.slice(framesBeforeProof)).toEqual([2])
})
