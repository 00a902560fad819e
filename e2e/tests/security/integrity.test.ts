import { readFile } from "node:fs/promises"
import { expect, test } from "../../support/fixtures.ts"
import { meet } from "../../support/scenes.ts"

// A secret that leaks now and then has leaked: no second try.
test.describe.configure({ retries: 0 })

const APP = new URL("../../../apps/web/dist/", import.meta.url)

for (const kind of ["chromium", "firefox"] as const) {
  // Every test with Firefox fails at a violation of the policy, and both browsers get the same headers.
  const tag = kind === "firefox" ? "@deep" : []
  const title = `the app runs under its CSP and its hashes, cross-origin isolated, in ${kind}`
  test(title, { tag }, async ({ server, people }) => {
    const [ada, bob] = [await people.arrive("Ada", kind), await people.arrive("Bob", kind)]
    // Every complaint in the console fails the test.
    await meet(server.origin, ada, bob)
    await ada.say("hello")
    await expect.poll(() => bob.texts()).toEqual(["hello"])
    expect(await ada.page.evaluate(() => crossOriginIsolated)).toBe(true)
    const policy = await ada.page.evaluate(async () => (await fetch("/")).headers.get("Content-Security-Policy"))
    expect(policy).toMatch(/script-src 'self' 'wasm-unsafe-eval' 'sha256-[\w+/]+='; /u)
  })

  test(`an altered script does not run, loaded by page or module, in ${kind}`, async ({ server, people }) => {
    const named = /<script type="module"[^>]* src="(\/assets\/[^"]+)"/u.exec(
      await readFile(new URL("index.html", APP), "utf8"),
    )
    const published = Object.keys(JSON.parse(await readFile(new URL("integrity.json", APP), "utf8")) as object)
    const loaded = published.find((path) => path.startsWith("/assets/ConferenceScreen-") && path.endsWith(".js"))
    for (const path of [named?.[1], loaded]) {
      if (path === undefined) throw new Error("The build has changed: this test looks for two of its scripts.")
      const ada = await people.arrive("Ada", kind)
      // The same bytes by the same way are run: what is refused is the difference.
      for (const [addition, outcome] of [
        ["", "run"],
        ["\n;globalThis.tampered = true", "refused"],
      ] as const) {
        await ada.page.route(`**${path}`, async (route) => {
          const response = await route.fetch()
          await route.fulfill({ response, body: `${await response.text()}${addition}` })
        })
        await ada.page.goto(server.origin)
        const imported = ada.page.evaluate(
          (src) =>
            import(src).then(
              () => "run",
              () => "refused",
            ),
          path,
        )
        expect([path, addition, await imported]).toEqual([path, addition, outcome])
        expect(await ada.page.evaluate(() => "tampered" in globalThis)).toBe(false)
        await ada.page.unroute(`**${path}`)
      }
      ada.complaints.length = 0 // A browser may say that it refused one.
      await ada.page.close()
    }
  })
}
