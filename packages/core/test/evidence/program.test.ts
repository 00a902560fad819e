/** `npx @keymoot/verify FILE` as a person starts it. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { newcomer } from "../identity/people.ts"
import { NOW_MS, PaperConference } from "./archives.ts"

const PROGRAM = join(import.meta.dirname, "../../../verify/verify.js")
let directory: string
let bytes: Uint8Array

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "keymoot-evidence-"))
  const ada = await newcomer("Ada", () => NOW_MS)
  const conference = await PaperConference.of(ada)
  await conference.say(ada, "Hello\u001b[2J\u202eVALID")
  bytes = await conference.export(ada)
})
afterAll(() => rmSync(directory, { recursive: true }))

function verify(content: Uint8Array): { code: number | null; output: string } {
  const file = join(directory, "conversation.keymoot")
  writeFileSync(file, content)
  return run(file)
}

function run(...args: string[]): { code: number | null; output: string } {
  const options = ["--conditions=keymoot-source", PROGRAM, ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, options, { encoding: "utf8" })
  return { code: status, output: stdout + stderr }
}

test("prints a valid archive without control characters of its authors", () => {
  const { code, output } = verify(bytes)
  expect(output).toContain("Hello?[2J?VALID")
  expect(output).toMatch(/\nVALID: 1 messages, each signed by its author for this conference\.\n$/u)
  expect(output).not.toMatch(/[^\n -~]/u)
  expect(code).toBe(0)
})

test("prints the epoch, the view and the place of each message", () => {
  expect(verify(bytes).output).toContain(" chat (epoch 3, view abababababababab, place 1)\n")
})

test("names the message that was changed and ends with 1", () => {
  const changed = bytes.slice()
  changed[Buffer.from(bytes).indexOf("Hello")]! ^= 1
  expect(verify(changed)).toEqual({ code: 1, output: expect.stringContaining("NOT VALID: message 1. ") })
})

test("ends with 2 without a file that it can read", () => {
  expect(run()).toEqual({ code: 2, output: expect.stringContaining("Usage") })
  expect(run(join(directory, "nothing"))).toEqual({ code: 2, output: expect.stringContaining("ENOENT") })
})

test("prints what the exporter left out, and still ends with 0", async () => {
  const ada = await newcomer("Ada", () => NOW_MS)
  const conference = await PaperConference.of(ada)
  await conference.say(ada, "Hello")
  const { code, output } = verify(await conference.export(ada, [{ name: "omitted", text: "pictures\u001b[2J" }]))
  expect(output).toContain("\nLeft out by the exporter: pictures?[2J\n")
  expect(output).not.toContain("Document")
  expect(code).toBe(0)
})
