import { fileURLToPath } from "node:url"
import { expect, test } from "../../support/fixtures.ts"
import { ServerProcess } from "../../support/server-process.ts"
import { serveFolder } from "../../support/packages/static-server.ts"

// A verdict that varies is wrong: no second try.
test.describe.configure({ retries: 0 })

const EXAMPLE = fileURLToPath(new URL("../../../examples/embed-element", import.meta.url))

test("an allowed page shows a conference and learns of it; another origin gets nothing", async ({ people }, info) => {
  const shop = await serveFolder(EXAMPLE)
  const evil = await serveFolder(EXAMPLE)
  const server = await ServerProcess.start({ EMBED_ORIGINS: shop.origin })
  const src = `?src=${encodeURIComponent(server.origin.replace("127.0.0.1", "localhost") + "/")}`
  try {
    const ada = await people.arrive("Ada")
    await ada.page.goto(`${shop.origin}/${src}`)
    const frame = ada.page.frameLocator("iframe")
    await expect(frame.getByText(`Shown inside ${new URL(shop.origin).host}`)).toBeVisible()
    await frame.getByLabel("Your name").fill("Ada")
    await frame.getByRole("button", { name: "Start a conference" }).click()
    await expect(ada.page.getByRole("status").first()).toHaveText("In a conference of 1, alone.")
    await ada.page.screenshot({ path: info.outputPath("embedded.png") })

    const bob = await people.arrive("Bob")
    await frame.getByText("Show the link and a QR code").click()
    await bob.join(await frame.getByRole("textbox", { name: "Invitation link" }).inputValue())
    await bob.seesEncryptedFor(2)
    await expect(ada.page.getByRole("status").first()).toHaveText("In a conference of 2, encrypted.")
    await bob.leave()
    await expect(ada.page.getByRole("status").first()).toHaveText("In a conference of 1, alone.")
    await frame.getByRole("button", { name: "Leave", exact: true }).click()
    await expect(ada.page.getByRole("status").first()).toHaveText("You have left.")

    const mallory = await people.arrive("Mallory")
    await mallory.page.goto(`${evil.origin}/${src}`)
    await expect.poll(() => mallory.complaints.join()).toMatch(/frame-ancestors/u)
    mallory.complaints.length = 0
    await expect(mallory.page.frameLocator("iframe").locator("#app")).toHaveCount(0)
    await expect(mallory.page.getByRole("status")).toHaveText("Not in a conference.")
  } finally {
    await server.dispose()
    shop.close()
    evil.close()
  }
})

test("an address that is no server's runs nothing in the page that embeds", async ({ people }) => {
  const shop = await serveFolder(EXAMPLE)
  try {
    const ada = await people.arrive("Ada")
    await ada.page.goto(`${shop.origin}/?src=${encodeURIComponent("javascript:parent.hit = true")}`)
    await expect(ada.page.locator("iframe")).toHaveAttribute("src", "about:blank")
    expect(await ada.page.evaluate(() => "hit" in globalThis)).toBe(false)
  } finally {
    shop.close()
  }
})
