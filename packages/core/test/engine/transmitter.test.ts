import { decodeFrame, decodeLinkMessage, memberIdFromBytes, type OrderEntry, type View } from "@keymoot/transport"
import { expect, test } from "vitest"
import { Transmitter } from "../../src/engine/transmitter.ts"

const [self, peer] = [1, 2].map((n) => memberIdFromBytes(new Uint8Array(16).fill(n)))
const view = "11".repeat(32) as View["id"]
const entry = (sequence: number): OrderEntry => ({ sender: 0, sequence, digest: new Uint8Array(32) })

type Options = {
  readonly congested?: boolean
  readonly sign?: () => Promise<Uint8Array>
  readonly fail?: (error: unknown) => void
  readonly onSend?: (kind: "order" | "other") => void
}

function transmitter({ congested = false, sign = async () => new Uint8Array(64), fail, onSend }: Options = {}) {
  let signatures = 0
  const sent: Uint8Array[] = []
  const made = new Transmitter({
    self: self!,
    conferenceTag: new Uint8Array(32),
    signer: {
      member: self!,
      certificate: new Uint8Array(0),
      sign: () => {
        signatures++
        return sign()
      },
    },
    signed: () => {},
    loopBack: () => {},
    fail:
      fail ??
      ((error) => {
        throw error
      }),
  })
  const frameOf = (bytes: Uint8Array) => {
    const message = decodeLinkMessage(bytes)
    return message?.type === "frame" ? decodeFrame(message.bytes) : null
  }
  const send = (_: unknown, bytes: Uint8Array): boolean => {
    onSend?.(frameOf(bytes)?.kind === "order" ? "order" : "other")
    return sent.push(bytes) > 0
  }
  made.attach({ send, congested: () => congested, windowBytes: () => null })
  const orders = () =>
    sent.flatMap((bytes) => {
      const frame = frameOf(bytes)
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

test("a frame and the ORDER for it are handed to the links in one turn, in the order of the group", async () => {
  const turns: string[][] = []
  const { made } = transmitter({
    onSend: (kind) => {
      if (turns.length === 0 || turns.at(-1)!.length === 0) turns.push([])
      if (turns.at(-1)!.push(kind) === 1) queueMicrotask(() => turns.push([]))
    },
  })
  made.send([peer!], { type: "frame", bytes: new Uint8Array(200) })
  made.signAndSend([peer!], view, order(0, 1))
  await made.idle()
  expect(turns.filter((turn) => turn.length > 0)).toEqual([["other", "order"]])
})

test("a signature that fails is told, and what came with it leaves", async () => {
  const failures: unknown[] = []
  const { made, sent } = transmitter({ sign: () => Promise.reject(new Error("no key")), fail: (e) => failures.push(e) })
  made.signAndSend([peer!], view, order(0, 1))
  made.send([peer!], { type: "frame", bytes: new Uint8Array(200) })
  await made.idle()
  expect([sent.length, failures]).toEqual([1, [new Error("no key")]])
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
  const { made, sent } = transmitter({ congested: true })
  const frame = new Uint8Array(200)
  made.send([peer!], { type: "frame", bytes: frame }, "repeated")
  made.send([peer!], { type: "frame", bytes: frame })
  await made.idle()
  expect(sent.length).toBe(1)
  expect(made.congested([peer!])).toBe(true)
})
