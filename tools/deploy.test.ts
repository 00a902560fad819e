/** What deploy/ says must fit the server, the programs and each other. What is built or run by Docker is not tried here. */
import { execFileSync } from "node:child_process"
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { parse } from "yaml"
import { findService, howToInstall, writeNginxConfiguration } from "./index.ts"

const root = join(import.meta.dirname, "..")
const deploy = join(root, "deploy")
const text = (path: string) => readFileSync(join(root, path), "utf8")

type Service = {
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>
}
const compose = parse(text("deploy/compose.yaml"), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>
}
const servers = Object.entries(compose.services).filter(([name]) => name.startsWith("server-"))

function freshDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "keymoot-deploy-"))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

function has(program: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

/** The variables that the server knows, by its own account. */
function settings(): string[] {
  const args = ["--conditions=keymoot-source", "apps/signaling/src/main.ts", "--help"]
  const help = execFileSync(process.execPath, args, { cwd: root, encoding: "utf8" })
  return [...help.matchAll(/^ {2}([A-Z_]+) /gmu)].map(([, name]) => name!)
}

test("the containers' servers are given settings that exist, and what the front needs to find both", () => {
  const known = settings()
  expect(known).toContain("REDIS_URL")
  expect(servers.length).toBe(2)
  for (const [, { environment }] of servers) {
    for (const name of Object.keys(environment ?? {})) expect(known).toContain(name)
  }
  const { front } = compose.services
  for (const [index, [name]] of servers.entries()) {
    expect(front?.environment?.[`KEYMOOT_SERVER_${index + 1}`]).toBe(`${name}:8080`)
  }
  const wanted = [...text("deploy/nginx/keymoot.conf.template").matchAll(/\$\{(\w+)\}/gu)].map(([, name]) => name!)
  expect(Object.keys(front?.environment ?? {}).toSorted()).toEqual([...new Set(wanted)].toSorted())
})

test("every variable of the containers stands in the example, and every file that they mount exists", () => {
  const example = new Set([...text("deploy/example.env").matchAll(/^([A-Z_]+)=/gmu)].map(([, name]) => name!))
  const used = new Set([...text("deploy/compose.yaml").matchAll(/\$\{([A-Z_]+)/gu)].map(([, name]) => name!))
  expect([...used].toSorted()).toEqual([...example].toSorted())
  for (const { volumes = [] } of Object.values(compose.services)) {
    for (const volume of volumes) {
      if (volume.startsWith("./")) expect(existsSync(join(deploy, volume.split(":")[0]!)), volume).toBe(true)
    }
  }
  for (const { depends_on: needs = [] } of Object.values(compose.services)) {
    for (const name of Array.isArray(needs) ? needs : Object.keys(needs)) expect(compose.services).toHaveProperty(name)
  }
})

test("the image holds what the server imports, and nothing that was built or kept here", () => {
  const dockerfile = text("deploy/Dockerfile")
  const copied = [...dockerfile.matchAll(/^COPY --from=server \/keymoot\/(\S+)/gmu)].map(([, path]) => path!)
  const { dependencies } = JSON.parse(text("apps/signaling/package.json")) as { dependencies: Record<string, string> }
  const packages = Object.keys(dependencies).filter((name) => name.startsWith("@keymoot/"))
  for (const name of packages) expect(copied).toContain(name.replace("@keymoot", "packages"))
  for (const path of copied) expect(existsSync(join(root, path)) || path.endsWith("/dist"), path).toBe(true)
  expect(dockerfile).toMatch(/^USER node$/mu)
  const ignored = text("deploy/Dockerfile.dockerignore").split("\n")
  for (const path of ["**/node_modules", "**/dist", ".git", "deploy/.env", "deploy/tls"])
    expect(ignored).toContain(path)
})

const withoutNginx = findService("nginx") === null || !has("openssl", "version")
if (withoutNginx) console.log(`Skipped: nginx with TLS. ${howToInstall("nginx")}, and openssl.`)

test.skipIf(withoutNginx)("nginx takes the front's configuration with TLS", () => {
  const directory = freshDirectory()
  const [certificate, key] = [join(directory, "fullchain.pem"), join(directory, "privkey.pem")]
  const request = [
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-subj",
    "/CN=test",
  ]
  execFileSync("openssl", [...request, "-days", "1", "-keyout", key, "-out", certificate], { stdio: "ignore" })
  const tls = text("deploy/nginx/tls.conf").replaceAll("/etc/keymoot/tls", directory)
  const listen = compose.services["front"]?.environment?.["KEYMOOT_LISTEN"]?.replace("443", "127.0.0.1:8443") ?? ""
  expect(listen).toBe("127.0.0.1:8443 ssl")
  writeNginxConfiguration(directory, { listen, tls, servers: ["127.0.0.1:8081", "127.0.0.1:8082"] })
  const args = ["-t", "-q", "-p", directory, "-c", join(directory, "nginx.conf")]
  // Throws with what nginx says.
  execFileSync(findService("nginx")!, args, { stdio: "pipe" })
})

const withoutSystemd = !has("systemd-analyze", "--version")
if (withoutSystemd) console.log("Skipped: the systemd unit. systemd-analyze is not installed.")

test.skipIf(withoutSystemd)("systemd understands the unit, and finds little that it leaves open", () => {
  const unit = join(freshDirectory(), "keymoot@8080.service")
  copyFileSync(join(deploy, "systemd/keymoot@.service"), unit)
  const said = execFileSync("systemd-analyze", ["verify", "--man=no", unit], { encoding: "utf8", stdio: "pipe" })
  expect(said).toBe("")
  const args = ["security", "--offline=true", "--no-pager", "--threshold=20", unit]
  // Fails above an exposure of 2.0 of 10.
  execFileSync("systemd-analyze", args, { stdio: "pipe" })
})
