import { memberIdFromBytes } from "@keymoot/transport"
import { expect, test } from "vitest"
import { StatementQueue, UNSIGNED_STATEMENTS_MAX, type StatementOutput } from "../../src/driver/statement-queue.ts"

const [self, peer, other] = [1, 2, 3].map((n) => memberIdFromBytes(new Uint8Array(16).fill(n)))
const statement = new Uint8Array(8)

function queue(sign: () => Promise<Uint8Array>) {
  const outputs: StatementOutput[] = []
  const failed: unknown[] = []
  const signer = { member: self!, certificate: new Uint8Array(0), sign }
  const faults = { fail: (error: unknown) => void failed.push(error) }
  const statements = new StatementQueue(signer, faults, { take: (output) => void outputs.push(output) })
  return { statements, outputs, failed, of: (type: string) => outputs.filter((output) => output.type === type) }
}

test("drops statements beyond its bound, and has them sent again when it is empty", async () => {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  const { statements, outputs, of } = queue(async () => {
    await released
    return new Uint8Array(64)
  })
  const toPeer = { type: "statement", via: "unicast", to: [peer!], statement } as const
  const toBoth = { type: "statement", via: "unicast", to: [peer!, other!], statement } as const
  for (let i = 0; i < UNSIGNED_STATEMENTS_MAX; i++) statements.add(toPeer)
  for (let i = 0; i < 10; i++) statements.add(toBoth)
  expect(statements.length).toBe(UNSIGNED_STATEMENTS_MAX)
  release()
  await expect.poll(() => statements.length).toBe(0)
  expect(of("roster").length).toBe(UNSIGNED_STATEMENTS_MAX)
  expect(outputs.slice(UNSIGNED_STATEMENTS_MAX)).toEqual([
    { type: "rosterLost", peer },
    { type: "rosterLost", peer: other },
  ])
})

test("returns an own multicast to this member after its addressees got it", async () => {
  const { statements, outputs } = queue(async () => new Uint8Array(64))
  statements.add({ type: "statement", via: "multicast", to: [peer!], statement })
  await expect.poll(() => outputs.map(({ type }) => type)).toEqual(["roster", "rosterMessage"])
})

test("continues with the next statement when a signature fails", async () => {
  let signatures = 0
  const { statements, failed, of } = queue(async () => {
    if (signatures++ === 0) throw new Error("no signature")
    return new Uint8Array(64)
  })
  for (let i = 0; i < 2; i++) statements.add({ type: "statement", via: "unicast", to: [peer!], statement })
  await expect.poll(() => of("roster").length).toBe(1)
  expect(failed.length).toBe(1)
})
