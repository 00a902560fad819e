import { expect, it } from "vitest"
import { readInvitation } from "../../src/arrival.ts"

it("reads a pasted invitation link, also with blanks around it", () => {
  expect(readInvitation("  https://meet.example/c/0a1b#secret.hash\n")).toEqual({
    id: "0a1b",
    url: "https://meet.example/c/0a1b#secret.hash",
    origin: "https://meet.example",
  })
})

it.each([
  "<https://meet.example/c/0a1b#secret.hash>",
  "Ada invites you (https://meet.example/c/0a1b#secret.hash).",
  "See https://meet.example/help, then come to https://meet.example/c/0a1b#secret.hash, please: https://meet.example/c/b1#x",
  "“https://meet.example/c/0a1b#secret.hash”",
])("finds the first invitation in %j", (text) => {
  expect(readInvitation(text)?.url).toBe("https://meet.example/c/0a1b#secret.hash")
})

it.each([
  "",
  "hello",
  "0a1b",
  "https://meet.example/",
  "https://meet.example/c/0a1b",
  "https://meet.example/c/0a1b#",
  "https://meet.example/c/0a1b#.",
  "Come to https://meet.example/c/0a1b or to https://meet.example/",
  "javascript:/c/0a1b#x",
  "https://meet.example/c/a/b#x",
  "https://meet.example/c/..%2f#x",
])("takes %j for no invitation", (text) => {
  expect(readInvitation(text)).toBeNull()
})
