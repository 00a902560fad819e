import { decodeFrame, decodeLinkMessage, memberIdFromBytes, type OrderEntry, type View } from "@keymoot/transport"
import { expect, test } from "vitest"
import { Transmitter } from "../../src/engine/transmitter.ts"

const [self, peer] = [1, 2].map((n) => memberIdFromBytes(new Uint8Array(16).fill(n)))
const view = "11".repeat(32) as View["id"]
const entry = (sequence: number): OrderEntry => ({ sender: 0, sequence, digest: new Uint8Array(32) })

function transmitter(congested = false) {
  let signatures = 0
  const sent: Uint8Array[] = []
  const made = new Transmitter({
    self: self!,
    conferenceTag: new Uint8Array(32),
    signer: {
      member: self!,
      certificate: new Uint8Array(0),
      sign: async () => {
        signatures++
        return new Uint8Array(64)
      },
    },
    signed: () => {},
    loopBack: () => {},
    fail: (error) => {
      throw error
    },
  })
  made.attach({ send: (_, bytes) => sent.push(bytes) > 0, congested: () => congested })
  const orders = () =>
    sent.flatMap((bytes) => {
      const message = decodeLinkMessage(bytes)
      const frame = message?.type === "frame" ? decodeFrame(message.bytes) : null
      return frame?.kind === "order" ? [frame.message] : []
    })
  return { made, sent, orders, signatures: () => signatures }
}

const order = (first: number, ...sequences: number[]) =>
  ({ kind: "order", message: { first, entries: sequences.map(entry) } }) as const

test("what is ordered while a signature is made shares the next one", async () => {
  const { made, orders, signatures } = transmitter()
  for (let i = 0; i < 100; i++) made.signAndSend([peer!], view, order(i, i + 1))
  await made.idle()
  expect(signatures()).toBeLessThanOrEqual(2)
  expect(orders().flatMap(({ entries }) => entries.map(({ sequence }) => sequence))).toEqual(
    Array.from({ length: 100 }, (_, i) => i + 1),
  )
})

test("an ORDER for somebody else, of another view or of a later place stays by itself", async () => {
  const { made, signatures } = transmitter()
  made.signAndSend([peer!], view, order(0, 1))
  made.signAndSend([self!, peer!], view, order(1, 2))
  made.signAndSend([peer!], "22".repeat(32) as View["id"], order(2, 3))
  made.signAndSend([peer!], "22".repeat(32) as View["id"], order(4, 5))
  await made.idle()
  expect(signatures()).toBe(4)
})

test("what was sent before is not sent again where much is still under way; everything else is", async () => {
  const { made, sent } = transmitter(true)
  const frame = new Uint8Array(200)
  made.send([peer!], { type: "frame", bytes: frame }, "repeated")
  made.send([peer!], { type: "frame", bytes: frame })
  await made.idle()
  expect(sent.length).toBe(1)
  expect(made.congested([peer!])).toBe(true)
})
