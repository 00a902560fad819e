import { utf8ToBytes } from "@noble/hashes/utils.js"
import { expect, test } from "vitest"
import { oneOfOrOwn } from "../../src/conference/descriptor-codec.ts"

const coder = oneOfOrOwn(["first", "second"])
const own = (name: string): Uint8Array => Uint8Array.of(255, name.length, ...utf8ToBytes(name))

test("encodes a built-in module as its code and an own one with its name", () => {
  expect(coder.encode("second")).toEqual(Uint8Array.of(2))
  expect(coder.encode("own:my-1.0")).toEqual(own("my-1.0"))
  for (const name of ["first", "second", "own:x", `own:${"x".repeat(60)}`] as const)
    expect(coder.decode(coder.encode(name))).toBe(name)
})

test.each([
  ["an unknown code", Uint8Array.of(3)],
  ["code 0", Uint8Array.of(0)],
  ["no name", own("")],
  ["a name that is too long", own("x".repeat(61))],
  ["a name that is cut off", own("abc").subarray(0, 4)],
  ["capital letters", own("X")],
  ["a byte that is no UTF-8", Uint8Array.of(255, 1, 0xff)],
  ["a byte order mark", Uint8Array.of(255, 4, 0xef, 0xbb, 0xbf, 0x78)],
  ["a byte behind the name", Uint8Array.of(...own("x"), 0)],
  ["a name behind a built-in code", Uint8Array.of(1, 1, 0x78)],
])("refuses %s", (_, bytes) => {
  expect(() => coder.decode(bytes)).toThrow()
})
