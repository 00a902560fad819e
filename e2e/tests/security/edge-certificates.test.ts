import { expect, test } from "../../support/fixtures.ts"
import { vectorsOf, verdictsIn } from "../../support/security/verdicts.ts"

// A verdict that varies is wrong: no second try.
test.describe.configure({ retries: 0 })

type Case = { name: string; as: string; verdict: string }
const cases = vectorsOf<Case>("certificates.json")
const JUDGE = { file: "test/protocol-vectors/certificates/judge.ts", name: "verdictOf" }

test("Chromium and Firefox come to the published verdicts about certificates", async ({ server }) => {
  for (const kind of ["chromium", "firefox"] as const) {
    const verdicts = await verdictsIn(kind, server.origin, JUDGE, cases)
    const said = cases.map(({ as, name }, i) => `${kind}, ${as}, ${name}: ${verdicts[i]}`)
    expect(said).toEqual(cases.map(({ as, name, verdict }) => `${kind}, ${as}, ${name}: ${verdict}`))
  }
})
