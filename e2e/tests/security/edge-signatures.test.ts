import { launch } from "../../browsers.ts"
import { expect, test } from "../../support/fixtures.ts"
import { vectorsOf, verdictsIn } from "../../support/security/verdicts.ts"

// A verdict that varies is wrong: no second try.
test.describe.configure({ retries: 0 })

type Case = { name: string; publicKey: string; message: string; signature: string; strict: boolean; valid: boolean }
const cases = vectorsOf<Case>("ed25519.json")
const JUDGE = { file: "test/protocol-vectors/signature-judge.ts", name: "isAccepted" }

test("Chromium and Firefox come to the published verdicts with the engine's verifier", async ({ server }) => {
  for (const kind of ["chromium", "firefox"] as const) {
    const verdicts = await verdictsIn(kind, server.origin, JUDGE, cases)
    const said = cases.map(({ name }, i) => `${kind}, ${name}: ${verdicts[i]}`)
    expect(said).toEqual(cases.map(({ name, valid }) => `${kind}, ${name}: ${valid}`))
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
