import { readFileSync } from "node:fs"
import { scriptOf } from "@keymoot/tools"
import { launch } from "../browsers.ts"
import { expect, test } from "../support/fixtures.ts"

// A secret that leaks now and then has leaked: no second try.
test.describe.configure({ retries: 0 })

type Case = { name: string; as: string; verdict: string }
const file = new URL("../../docs/protocol/vectors/certificates.json", import.meta.url)
const cases = (JSON.parse(readFileSync(file, "utf8")) as { vectors: Case[] }).vectors
/** The engine's own code. */
const JUDGE = "test/protocol-vectors/certificates/judge.ts"

test("Chromium and Firefox come to the published verdicts about certificates", async ({ server }) => {
  const script = await scriptOf(JUDGE, "judge")
  for (const kind of ["chromium", "firefox"] as const) {
    const browser = await launch(kind)
    const page = await browser.newPage()
    await page.goto(server.origin)
    const verdicts = await page.evaluate(
      `(() => { ${script}\nreturn Promise.all(${JSON.stringify(cases)}.map(judge.verdictOf)) })()`,
    )
    const said = cases.map(({ as, name }, i) => `${kind}, ${as}, ${name}: ${(verdicts as string[])[i]}`)
    expect(said).toEqual(cases.map(({ as, name, verdict }) => `${kind}, ${as}, ${name}: ${verdict}`))
    await browser.close()
  }
})
