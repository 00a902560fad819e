/** The container image, built from the unmodified `deploy/Dockerfile`. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { freePort } from "@keymoot/tools"
import { expect, test } from "../support/fixtures.ts"
import { meet, seeSameChat, talkAtOnce } from "../support/scenes.ts"
import { BASE_IMAGE, ensureBaseImage } from "./base-image.ts"
import { buildah, podman, run, whyNoContainers } from "./programs.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const IMAGE = "localhost/keymoot-test"
const CONTAINER = "keymoot-image-test"

test("a conference through the image outlives an upgrade of its container", async ({ people }) => {
  const reason = await whyNoContainers()
  test.skip(reason !== null, reason ?? "")
  await build()
  const data = mkdtempSync(join(tmpdir(), "keymoot-image-"))
  const port = await freePort()
  try {
    await start(data, port)
    const [ada, bob] = [await people.arrive("Ada"), await people.arrive("Bob")]
    const link = await meet(`http://localhost:${port}`, ada, bob)
    await seeSameChat([ada, bob], await talkAtOnce([ada, bob], 2, "tea"))

    expect(await stop()).toBe("0")
    expect(readdirSync(data)).toContain("keymoot.db")
    await start(data, port)
    // The new container knows the conference: somebody new can come.
    const eve = await people.arrive("Eve")
    await eve.join(link)
    for (const person of [ada, bob, eve]) await person.seesEncryptedFor(3)
    await stop()
  } finally {
    await podman("rm", "--force", CONTAINER)
    rmSync(data, { recursive: true })
  }
})

/** From a clean copy, as an operator has it. */
async function build(): Promise<void> {
  await ensureBaseImage()
  const source = mkdtempSync(join(tmpdir(), "keymoot-source-"))
  try {
    await run("git", ["clone", "--quiet", ROOT, source])
    const file = join(source, "deploy/Dockerfile")
    await buildah("bud", "--format", "docker", "--pull-never", "--file", file, "--tag", IMAGE, source)
  } finally {
    rmSync(source, { recursive: true })
  }
  expect(await podman("inspect", "--format", "{{.Config.User}} {{.Config.Volumes}}", IMAGE)).toBe("node map[/data:{}]")
  expect(BASE_IMAGE).toContain(/^FROM (node:\S+)$/mu.exec(await run("cat", [join(ROOT, "deploy/Dockerfile")]))![1]!)
}

async function start(data: string, port: number): Promise<void> {
  const settings = ["--env", `PORT=${port}`, "--volume", `${data}:/data:U`, "--network", "host"]
  await podman("run", "--detach", "--name", CONTAINER, "--no-healthcheck", ...settings, IMAGE)
  const check = JSON.parse(await podman("inspect", "--format", "{{json .HealthCheck.Test}}", IMAGE)) as string[]
  expect(check[0]).toBe("CMD")
  const isHealthy = () =>
    podman("exec", CONTAINER, ...check.slice(1)).then(
      () => true,
      () => false,
    )
  await expect.poll(isHealthy, { message: "the image's own health check" }).toBe(true)
}

/** @returns the exit code after SIGTERM */
async function stop(): Promise<string> {
  await podman("stop", "--time", "30", CONTAINER)
  const code = await podman("inspect", "--format", "{{.State.ExitCode}}", CONTAINER)
  await podman("rm", CONTAINER)
  return code
}
