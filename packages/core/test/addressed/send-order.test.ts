import { expect, test } from "vitest"
import { BEHIND_MAX, SendOrder } from "../../src/client/connection/send-order.ts"

function sends(order: SendOrder) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const send = (name: string, inPieces = false, signal?: AbortSignal): Promise<string> =>
    order.run(inPieces, signal, () => {
      begun.push(name)
      return new Promise((resolve) => ends.set(name, () => resolve(name)))
    })
  return { begun, end: (name: string) => ends.get(name)!(), send }
}

test("with nothing in pieces under way, all begin at once", () => {
  const { begun, send } = sends(new SendOrder())
  for (const name of ["a", "b"]) void send(name)
  expect(begun).toEqual(["a", "b"])
})

test("queues messages behind one in pieces, then sends them in order up to the next", async () => {
  const { begun, end, send } = sends(new SendOrder())
  const large = send("large", true)
  for (const name of ["a", "b"]) void send(name)
  void send("second", true)
  void send("c")
  expect(begun).toEqual(["large"])
  end("large")
  await large
  expect(begun).toEqual(["large", "a", "b", "second"])
  end("second")
  await expect.poll(() => begun.at(-1)).toBe("c")
})

test("a queued message can be cancelled, and a large one that fails blocks nobody", async () => {
  const order = new SendOrder()
  const { begun, send } = sends(order)
  let fail: (error: Error) => void = () => undefined
  const large = order.run(true, undefined, () => new Promise<never>((_, reject) => (fail = reject)))
  const waits = new AbortController()
  const calledOff = send("called off", false, waits.signal)
  void send("next")
  waits.abort()
  await expect(calledOff).rejects.toMatchObject({ code: "aborted" })
  fail(new Error("over"))
  await expect(large).rejects.toThrow("over")
  await expect.poll(() => begun).toEqual(["next"])
})

test("no more wait than the bound", async () => {
  const { send } = sends(new SendOrder())
  void send("large", true)
  for (let i = 0; i < BEHIND_MAX; i++) void send(`${i}`)
  await expect(send("one more")).rejects.toMatchObject({ code: "queue-full" })
})
