import { expect, test } from "../../support/fixtures.ts"

// Markup that runs now and then runs: no second try.
test.describe.configure({ retries: 0 })

for (const kind of ["chromium", "firefox"] as const) {
  test(`markup and script addresses are refused as strings in ${kind}`, async ({ server, people }) => {
    const ada = await people.arrive("Ada", kind)
    await ada.page.goto(server.origin)
    await expect(ada.page.getByLabel("Your name")).toBeVisible()
    const outcomes = await ada.page.evaluate(() => {
      const errorOf = (act: () => unknown): string => {
        try {
          act()
          return "allowed"
        } catch (error) {
          return (error as Error).name
        }
      }
      const script = document.createElement("script")
      const frame = document.createElement("iframe")
      type Factory = { createPolicy(name: string, checks: object): unknown }
      const { trustedTypes } = globalThis as unknown as { readonly trustedTypes: Factory }
      return {
        innerHTML: errorOf(() => (document.body.innerHTML = "<img src=x onerror='globalThis.injected = 1'>")),
        insertAdjacentHTML: errorOf(() => document.body.insertAdjacentHTML("beforeend", "<b>x</b>")),
        srcdoc: errorOf(() => (frame.srcdoc = "<script>1</script>")),
        script: errorOf(() => (script.src = "https://evil.example/x.js")),
        worker: errorOf(() => new Worker("data:text/javascript,0")),
        policy: errorOf(() => trustedTypes.createPolicy("another", {})),
        replaced: errorOf(() => trustedTypes.createPolicy("default", {})),
      }
    })
    expect(outcomes).toEqual({
      innerHTML: "TypeError",
      insertAdjacentHTML: "TypeError",
      srcdoc: "TypeError",
      script: "TypeError",
      worker: "TypeError",
      policy: "TypeError",
      replaced: "TypeError",
    })
    expect(await ada.page.evaluate(() => "injected" in globalThis)).toBe(false)
    await expect.poll(() => ada.complaints.length).toBeGreaterThan(0)
    // The browser reported these, as it should.
    ada.complaints.length = 0
  })
}

test("pasted markup reaches the board and violates no policy", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  await ada.start(server.origin)
  await expect(ada.page.locator(".excalidraw").first()).toBeVisible()
  expect(await ada.board.showsAnything()).toBe(false)
  // The whiteboard takes what is pasted when it has the focus, to where the pointer is.
  await ada.board.point({ x: 300, y: 300 })
  await ada.page.mouse.down()
  await ada.page.mouse.up()
  await ada.page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData("text/html", "<p>Don't <b>panic</b></p>")
    clipboardData.setData("text/plain", "Don't panic")
    document.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }))
  })
  await expect.poll(() => ada.board.showsAnything()).toBe(true)
})
