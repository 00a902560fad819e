/** The container images of an older version and of this one, each built from its unmodified `deploy/Dockerfile`. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { freePort } from "@keymoot/tools"
import { expect, test } from "../support/fixtures.ts"
import { cardOf, findPeople, foundBy, meet, publish, seeSameChat, talkAtOnce } from "../support/scenes.ts"
import { BASE_IMAGE, ensureBaseImage } from "./base-image.ts"
import { olderVersion } from "./older-version.ts"
import { buildah, podman, run, whyNoContainers } from "./programs.ts"
import { storedIn } from "./stored.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const [OLDER, PRESENT] = ["localhost/keymoot-test:older", "localhost/keymoot-test:present"]
const CONTAINER = "keymoot-image-test"

/** Without the time of building. */
const RUN_TIMEOUT_MS = 240_000

test.beforeAll(async () => {
  const reason = await whyNoContainers()
  test.skip(reason !== null, reason ?? "")
  await build(await olderVersion(ROOT), OLDER)
  await build("HEAD", PRESENT)
})

test("an upgrade of the image keeps the conference and the directory", async ({ people }) => {
  test.setTimeout(RUN_TIMEOUT_MS)
  const data = mkdtempSync(join(tmpdir(), "keymoot-image-"))
  const port = await freePort()
  const origin = `http://localhost:${port}`
  try {
    await start(OLDER, data, port)
    const [ada, bob] = [await people.arrive("Ada"), await people.arrive("Bob")]
    await cardOf(bob, origin)
    await publish(bob)
    const link = await meet(origin, ada, bob)
    await seeSameChat([ada, bob], await talkAtOnce([ada, bob], 2, "tea"))

    expect(await stop()).toBe("0")
    const before = storedIn(data)
    expect([before.conferences.length, before.participants.length]).toEqual([1, 1])
    await start(PRESENT, data, port)
    const eve = await people.arrive("Eve")
    await eve.page.goto(origin)
    await findPeople(eve, "bo")
    await expect(foundBy(eve)).toHaveText([/Bob/u])
    // Ada and Bob have not loaded their pages again, so they meet her with the older version.
    await eve.join(link)
    for (const person of [ada, bob, eve]) await person.seesEncryptedFor(3)

    expect(await stop()).toBe("0")
    const { conferences, participants, migrations } = storedIn(data)
    expect({ conferences, participants }).toEqual({
      conferences: before.conferences,
      participants: before.participants,
    })
    expect(migrations).toEqual([...before.migrations, ...migrations.slice(before.migrations.length)])
  } finally {
    await podman("rm", "--force", CONTAINER)
    rmSync(data, { recursive: true })
  }
})

/** From a clean copy, as an operator has it. */
async function build(commit: string, image: string): Promise<void> {
  await ensureBaseImage()
  const source = mkdtempSync(join(tmpdir(), "keymoot-source-"))
  try {
    await run("git", ["clone", "--quiet", "--no-checkout", ROOT, source])
    await run("git", ["-C", source, "checkout", "--quiet", "--detach", commit])
    const file = join(source, "deploy/Dockerfile")
    expect(BASE_IMAGE).toContain(/^FROM (node:\S+)$/mu.exec(await run("cat", [file]))![1]!)
    await buildah("bud", "--format", "docker", "--pull-never", "--file", file, "--tag", image, source)
  } finally {
    rmSync(source, { recursive: true })
  }
  expect(await podman("inspect", "--format", "{{.Config.User}} {{.Config.Volumes}}", image)).toBe("node map[/data:{}]")
}

async function start(image: string, data: string, port: number): Promise<void> {
  const settings = ["--env", `PORT=${port}`, "--volume", `${data}:/data:U`, "--network", "host"]
  await podman("run", "--detach", "--name", CONTAINER, "--no-healthcheck", ...settings, image)
  const check = JSON.parse(await podman("inspect", "--format", "{{json .HealthCheck.Test}}", image)) as string[]
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
