import { readFileSync } from "node:fs"
import { scriptOf } from "@keymoot/tools"
import { launch } from "../browsers.ts"
import { expect, test } from "../support/fixtures.ts"

// A secret that leaks now and then has leaked: no second try.
test.describe.configure({ retries: 0 })

type Case = { name: string; publicKey: string; message: string; signature: string; strict: boolean; valid: boolean }
const file = new URL("../../docs/protocol/vectors/ed25519.json", import.meta.url)
const cases = (JSON.parse(readFileSync(file, "utf8")) as { vectors: Case[] }).vectors
/** The engine's own code. */
const JUDGE = "test/protocol-vectors/signature-judge.ts"

test("Chromium and Firefox come to the published verdicts with the engine's verifier", async ({ server }) => {
  const script = await scriptOf(JUDGE, "judge")
  for (const kind of ["chromium", "firefox"] as const) {
    const browser = await launch(kind)
    const page = await browser.newPage()
    await page.goto(server.origin)
    const verdicts = await page.evaluate(
      `(() => { ${script}\nreturn Promise.all(${JSON.stringify(cases)}.map(judge.isAccepted)) })()`,
    )
    const said = cases.map(({ name }, i) => `${kind}, ${name}: ${(verdicts as boolean[])[i]}`)
    expect(said).toEqual(cases.map(({ name, valid }) => `${kind}, ${name}: ${valid}`))
    await browser.close()
  }
})

test("Chromium and Firefox judge all strict signatures as published", async ({ server }) => {
  for (const kind of ["chromium", "firefox"] as const) {
    const browser = await launch(kind)
    const page = await browser.newPage()
    await page.goto(server.origin)
    const verdicts = await page.evaluate(async (given) => {
      const bytes = (hex: string) => Uint8Array.from(hex.match(/../gu) ?? [], (digits) => Number.parseInt(digits, 16))
      const verify = async (each: Case): Promise<boolean> => {
        const key = await crypto.subtle.importKey("raw", bytes(each.publicKey), "Ed25519", false, ["verify"])
        return crypto.subtle.verify("Ed25519", key, bytes(each.signature), bytes(each.message))
      }
      return Promise.all(given.map((each) => verify(each).catch(() => false)))
    }, cases)
    for (const [i, { name, strict, valid }] of cases.entries()) {
      if (strict) expect(verdicts[i], `${kind}: ${name}`).toBe(valid)
    }
    expect(verdicts.filter(Boolean).length, `${kind} verifies at all`).toBeGreaterThan(0)
    await browser.close()
  }
})
