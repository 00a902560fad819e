import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { expect, test } from "../../support/fixtures.ts"

const NEWER_CLIENT = fileURLToPath(new URL("../../../packages/core/test/compatibility/main.ts", import.meta.url))

test("asks for a reload when a client with a newer protocol comes", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  await ada.start(server.origin)
  const args = ["--conditions=keymoot-source", NEWER_CLIENT, await ada.copyLink()]
  const client = spawn(process.execPath, args, { stdio: ["pipe", "ignore", "inherit"] })

  const banner = ada.page.locator(".banner", { hasText: "Reload this page: others use a newer version." })
  await expect(banner.getByRole("button", { name: "Reload" })).toBeVisible()
  await ada.seesLock("Only you are here.")

  const exit = once(client, "exit")
  client.stdin.end()
  await exit
})
