/** The commands of docs/self-hosting.md. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"

const guide = readFileSync(join(import.meta.dirname, "../../docs/self-hosting.md"), "utf8")

test("puts the secret of coturn on no command line", () => {
  expect(guide).not.toContain("--static-auth-secret")
})

/** Stands in for Docker with running containers: writes down what it was given. */
const FAKE_DOCKER = '#!/bin/sh\necho "$*" >> "${0%docker}calls"\n[ "$2" != ps ] || echo container\n'

test("gives containers a renewed certificate, and stops none of them", () => {
  // The daemon takes a container that was sent any signal for one stopped by hand, and does not start it at boot.
  expect(guide).not.toContain("docker compose kill")
  const [, hook = ""] = /```\n(#!\/bin\/sh -e\ncd \/opt\/keymoot\/deploy\n.*?)```/su.exec(guide) ?? []
  const directory = mkdtempSync(join(tmpdir(), "keymoot-guide-"))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  for (const name of ["tls", "live"]) mkdirSync(join(directory, name))
  for (const name of ["fullchain", "privkey"]) writeFileSync(join(directory, `live/${name}.pem`), name, { mode: 0o600 })
  writeFileSync(join(directory, "docker"), FAKE_DOCKER, { mode: 0o755 })
  const script = hook.replace("/opt/keymoot/deploy", directory).replace("-g 65534", `-g ${process.getgid!()}`)
  const env = { PATH: `${directory}:${process.env["PATH"]}`, RENEWED_LINEAGE: join(directory, "live") }
  execFileSync("sh", ["-e", "-c", script], { env })
  const modes = ["fullchain", "privkey"].map((name) => statSync(join(directory, `tls/${name}.pem`)).mode & 0o777)
  expect(modes).toEqual([0o644, 0o640])
  expect(readFileSync(join(directory, "calls"), "utf8").split("\n")).toEqual([
    "compose ps --quiet turn",
    "compose exec -T front nginx -s reload",
    "compose exec -T turn sh -c kill -USR2 1",
    "",
  ])
})

test("says that conferences end when their server changes to several processes", () => {
  const [, section = ""] = guide.split("\n### Several processes without Docker\n")
  const [before] = section.split("systemctl enable --now keymoot@8081")
  for (const text of ["do not move", "systemctl disable --now keymoot@8080", "openssl rand -hex 24"])
    expect(before).toContain(text)
})

test("an upgrade of containers ends with the front, whose template may be newer", () => {
  const [, upgrade = ""] = guide.split("\n## Upgrading\n")
  const [, commands] = /```\n(docker compose build\n.*?)\n```/su.exec(upgrade) ?? []
  const [build, ...ups] = commands?.split("\n").map((line) => line.replace(/ +#.*$/u, "")) ?? []
  expect(build).toBe("docker compose build")
  const server = (name: string) => `docker compose up --detach --no-deps --wait ${name}`
  expect(ups).toEqual([server("server-1"), server("server-2"), "docker compose up --detach"])
})

test("an upgrade builds the app last, since a restart forgets parts of the former one", () => {
  const [, upgrade = ""] = guide.split("\n## Upgrading\n")
  const steps = ["npm ci", "systemctl restart keymoot@8080", "npm run build:web"].map((step) => upgrade.indexOf(step))
  expect(steps).toEqual(steps.toSorted((one, other) => one - other))
  expect(steps).not.toContain(-1)
})
