import { rmSync } from "node:fs"
import { join } from "node:path"
import { serverProject } from "@keymoot/tools"
import { expect, test } from "../../support/fixtures.ts"
import { start } from "../../support/packages/projects.ts"
import { meet, seeSameChat, talkAtOnce } from "../../support/scenes.ts"

test("two people meet on the packed server", async ({ people }) => {
  const project = await serverProject()
  const data = join(project.directory, "data")
  const program = "node_modules/@keymoot/server/dist/keymoot-server.js"
  const settings = { PORT: "0", DATA_DIR: data, LOG_LEVEL: "error" }
  const server = await start(project, ["node", program], /^Keymoot is ready at (http:\S+)$/u, settings)
  try {
    const [ada, bob] = [await people.arrive("Ada"), await people.arrive("Bob")]
    await meet(server.match[1]!, ada, bob)
    await seeSameChat([ada, bob], await talkAtOnce([ada, bob], 3, "tea"))
    const notices = await fetch(`${server.match[1]}/third-party-notices.txt`)
    expect(notices.headers.get("content-type")).toBe("text/plain;charset=utf-8")
  } finally {
    server.stop()
    rmSync(project.directory, { recursive: true, force: true })
  }
})
