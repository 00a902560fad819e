import { expect, test } from "vitest"
import { checkScan, pairCodeOf } from "../../src/identity/pair-code.ts"

const filled = (value: number): Uint8Array => new Uint8Array(32).fill(value)
const [ada, bob, eve] = [filled(4), filled(5), filled(6)]

test("two people see the same digits and the same words, and with anybody else others", async () => {
  const [atAda, atBob, withEve] = await Promise.all([pairCodeOf(ada, bob), pairCodeOf(bob, ada), pairCodeOf(ada, eve)])
  expect(atAda.digits).toBe(atBob.digits)
  expect(atAda.words).toEqual(atBob.words)
  expect(withEve.digits).not.toBe(atAda.digits)
  expect(withEve.words).not.toEqual(atAda.words)
})

test("both forms need 2^99 tries of a man in the middle who chooses both keys", async () => {
  const { digits, words } = await pairCodeOf(ada, bob)
  // A collision costs the square root of the codes there are.
  const digitBits = 60 * Math.log2(10)
  const wordBits = 11 * words.length
  expect(digits).toMatch(/^\d{5}( \d{5}){11}$/u)
  for (const bits of [digitBits, wordBits]) expect(bits / 2).toBeGreaterThanOrEqual(99)
})

test("each word and each group of digits depends on both keys", async () => {
  const codes = await Promise.all(Array.from({ length: 32 }, (_, n) => pairCodeOf(filled(n + 1), filled(n + 100))))
  for (let place = 0; place < 18; place++) {
    expect(new Set(codes.map(({ words }) => words[place])).size, `word ${place}`).toBeGreaterThan(24)
  }
  for (let place = 0; place < 12; place++) {
    expect(new Set(codes.map(({ digits }) => digits.split(" ")[place])).size).toBeGreaterThan(24)
  }
})

test("the words are those of the digits' number, by the public word list", async () => {
  const { words } = await pairCodeOf(ada, bob)
  expect(words.join(" ")).toMatchInlineSnapshot(
    `"cattle result wet abuse frozen door vapor jealous diagram girl beach expand drive edge bike task dust kiss"`,
  )
})

test("a code read from the other's screen matches; another's or one's own does not", async () => {
  const scan = async (shower: Uint8Array, viewer: Uint8Array) => (await pairCodeOf(shower, viewer)).scannable
  expect(checkScan(await scan(bob, ada), ada, bob)).toBe("match")
  expect(checkScan(await scan(ada, bob), bob, ada)).toBe("match")
  expect(checkScan(await scan(ada, bob), ada, bob), "in a mirror").toBe("other-person")
  expect(checkScan(await scan(eve, ada), ada, bob), "Eve in Bob's place").toBe("other-person")
  expect(checkScan(await scan(bob, eve), ada, bob), "Bob sees Eve in Ada's place").toBe("other-person")
})

test("reads no code from other things before a camera, and throws nothing", async () => {
  const { scannable } = await pairCodeOf(bob, ada)
  expect(scannable).toMatch(/^[0-9A-Z:]+$/u)
  const others = [
    "",
    "https://stranger.example/",
    scannable.slice(0, -1),
    `${scannable}A`,
    `${scannable}`.toLowerCase(),
    scannable.replace("KEYMOOT:A", "KEYMOOT:B"),
    "KEYMOOT:",
    `KEYMOOT:${"A".repeat(100_000)}`,
    "KEYMOOT:0189",
    "\ud800",
  ]
  for (const text of others) expect(checkScan(text, ada, bob), text.slice(0, 40)).toBe("not-a-code")
})
