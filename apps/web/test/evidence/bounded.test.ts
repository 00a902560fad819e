import { KeymootError } from "@keymoot/core"
import { expect, test } from "vitest"
import { boundedEvidence } from "../../src/evidence/boundedEvidence.ts"

const BOARD = JSON.stringify({ elements: [{ id: "line" }], files: { a: { dataURL: "data:".padEnd(1000, "x") } } })
type Documents = readonly { readonly name: string; readonly text: string }[]

/** The last export of a device whose archives hold that many characters of documents. */
async function exportedBy(charactersMax: number) {
  let last: Documents = []
  const evidence = async (documents: Documents = []) => {
    if (documents.reduce((sum, { text }) => sum + text.length, 0) > charactersMax)
      throw new KeymootError("too-large", "The documents are too large for an archive.")
    last = documents
    return new Uint8Array()
  }
  const { leftOut } = await boundedEvidence({ evidence }, BOARD)
  return { leftOut, documents: last }
}

test("keeps the board with its pictures when they fit", async () => {
  expect(await exportedBy(2000)).toEqual({ leftOut: null, documents: [{ name: "board", text: BOARD }] })
})

test("leaves out the pictures, and says so, when the archive is too large", async () => {
  const { leftOut, documents } = await exportedBy(500)
  expect(leftOut).toBe("pictures")
  expect(documents).toEqual([
    { name: "board", text: expect.not.stringContaining("data:") },
    { name: "omitted", text: "pictures" },
  ])
  expect(JSON.parse(documents[0]!.text)).toEqual({ elements: [{ id: "line" }], files: {} })
})

test("leaves out the board, and says so, when it is too large without pictures", async () => {
  expect(await exportedBy(10)).toEqual({ leftOut: "board", documents: [{ name: "omitted", text: "board" }] })
})

test("passes on other failures, and does not retry them", async () => {
  const failure = new KeymootError("closed", "The conference was closed.")
  await expect(boundedEvidence({ evidence: () => Promise.reject(failure) }, BOARD)).rejects.toBe(failure)
})
