/** The files in deploy/ must fit the server, the programs and each other. Docker itself does not run here. */
import { execFileSync } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type ServerResponse } from "node:http"
import { type AddressInfo, BlockList, isIPv6 } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { parse } from "yaml"
import { findService, freePort, howToInstall, startNginx, startTurn, writeNginxConfiguration } from "../index.ts"
import { exported } from "../claims/stated-bounds.ts"

const root = join(import.meta.dirname, "../..")
const deploy = join(root, "deploy")
const text = (path: string) => readFileSync(join(root, path), "utf8")

type Service = {
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly network_mode?: string
  readonly command?: readonly string[]
  readonly entrypoint?: readonly string[]
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

test("gives coturn no empty option, which would announce the address 0.0.0.0", () => {
  const example = new Map(
    [...text("deploy/example.env").matchAll(/^([A-Z_]+)=(.*)$/gmu)].map(([, name, value]) => [name, value]),
  )
  const written = (option: string) =>
    option.replaceAll(/\$\{([A-Z_]+)[^}]*\}/gu, (_, name: string) => example.get(name) ?? "")
  const command = compose.services["turn"]?.command ?? []
  expect(command.map(written).filter((option) => option.endsWith("="))).toEqual([])
  expect(command.length).toBeGreaterThan(3)
})

const turnLines = text("deploy/coturn/turnserver.conf").split("\n")
const turnValues = (name: string) =>
  turnLines.flatMap((line) => (line.startsWith(`${name}=`) ? [line.split("=")[1]!] : []))

test("lets coturn reach no private network, and public addresses", () => {
  // One list would take an IPv4-mapped range of IPv6 for the whole of IPv4. Coturn does not.
  const denied = { ipv4: new BlockList(), ipv6: new BlockList() }
  const familyOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4")
  for (const range of turnValues("denied-peer-ip")) {
    const [first, last = first] = range.split("-") as [string, string?]
    denied[familyOf(first)].addRange(first, last, familyOf(first))
  }
  const isDenied = (address: string) => denied[familyOf(address)].check(address, familyOf(address))
  const networks = {
    "this host": ["0.0.0.0", "127.0.0.1", "127.255.255.255", "::1", "::"],
    private: ["10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.0", "192.168.255.255"],
    "unique local": ["fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    "link-local": [
      "169.254.0.0",
      "169.254.169.254",
      "169.254.255.255",
      "fe80::",
      "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    ],
    "shared with a provider": ["100.64.0.0", "100.127.255.255"],
    "written in IPv6": ["::ffff:10.0.0.1", "::ffff:203.0.113.9", "64:ff9b::a00:1", "2002:a00:1::"],
  }
  for (const [network, addresses] of Object.entries(networks)) {
    for (const address of addresses) expect(isDenied(address), `${network}: ${address}`).toBe(true)
  }
  for (const address of ["1.1.1.1", "9.255.255.255", "172.32.0.0", "193.0.0.1", "2606:4700::1111", "2a00::1"]) {
    expect(isDenied(address), address).toBe(false)
  }
})

test("bounds each user and all users of coturn, and relays UDP to single peers", () => {
  for (const quota of ["user-quota", "total-quota", "max-bps", "bps-capacity", "max-allocate-lifetime"]) {
    expect(turnValues(quota).map(Number), quota).toEqual([expect.toSatisfy((value: number) => value > 0)])
  }
  expect(turnLines).toEqual(expect.arrayContaining(["use-auth-secret", "no-tcp-relay", "no-multicast-peers", "no-cli"]))
})

/** Stands in for coturn: says what it was given, and that it listens. */
const FAKE_TURNSERVER = `#!${process.execPath}
const { readFileSync, statSync, writeFileSync } = require("node:fs")
const args = process.argv.slice(2)
const after = (name) => args[args.indexOf(name) + 1]
const path = after("-c")
const mode = (statSync(path).mode & 0o777).toString(8)
const seen = { args, mode, text: readFileSync(path, "utf8") }
writeFileSync(process.env.SEEN, JSON.stringify(seen))
console.log("UDP listener opened on: " + after("--listening-ip") + ":" + after("--listening-port"))
if (args.includes("--listening-ip")) setInterval(() => {}, 1000)
`

/** Runs it with the stand-in in the PATH, and answers with the last thing that this was given. */
async function coturnIn(run: (env: Readonly<Record<string, string>>, directory: string) => unknown) {
  const directory = freshDirectory()
  const seen = join(directory, "seen")
  writeFileSync(join(directory, "turnserver"), FAKE_TURNSERVER, { mode: 0o755 })
  const env = { PATH: `${directory}:${process.env["PATH"]}`, SEEN: seen }
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  await run(env, directory)
  return JSON.parse(readFileSync(seen, "utf8")) as {
    readonly args: readonly string[]
    readonly mode: string
    readonly text: string
  }
}

const SECRETS = [
  [
    "the tests",
    async () => {
      const turn = await startTurn()
      await turn.stop()
      return turn.secret
    },
  ],
  [
    "Compose",
    (env: Readonly<Record<string, string>>, directory: string) => {
      const { entrypoint = [], command = [] } = compose.services["turn"]!
      const secret = "only-for-this-test"
      const written = [...entrypoint, ...command].map((part) =>
        part
          .replaceAll("/tmp/", `${directory}/`)
          .replaceAll("/etc/keymoot/", `${deploy}/coturn/`)
          .replaceAll("${TURN_SECRET}", secret)
          .replaceAll("$$", "$"),
      )
      const [program = "", ...args] = written
      execFileSync(program, args, { env: { ...env, TURN_SECRET: secret } })
      return secret
    },
  ],
] as const

test.each(SECRETS)("gives coturn its secret where no other user can read it, in %s", async (_, start) => {
  let secret = ""
  const {
    args,
    mode,
    text: configuration,
  } = await coturnIn(async (env, directory) => {
    secret = await start(env, directory)
  })
  expect(args.join(" ")).not.toContain(secret)
  expect(mode).toBe("600")
  expect(configuration.split("\n")).toEqual(expect.arrayContaining(["use-auth-secret", `static-auth-secret=${secret}`]))
})

test("has systemd try again for as long as the database is away", () => {
  expect(text("deploy/systemd/keymoot@.service")).toMatch(/^StartLimitIntervalSec=0$/mu)
})

test("gives the containers' servers existing settings, and what the front needs", () => {
  const known = settings()
  expect(known).toContain("REDIS_URL")
  expect(servers.length).toBe(2)
  for (const [, { environment }] of servers) {
    for (const name of Object.keys(environment ?? {})) expect(known).toContain(name)
  }
  const { front } = compose.services
  for (const [index, [, { ports }]] of servers.entries()) {
    expect(ports).toEqual([`${front?.environment?.[`KEYMOOT_SERVER_${index + 1}`]}:8080`])
  }
  const wanted = [...text("deploy/nginx/keymoot.conf.template").matchAll(/\$\{(\w+)\}/gu)].map(([, name]) => name!)
  expect(Object.keys(front?.environment ?? {}).toSorted()).toEqual([...new Set(wanted)].toSorted())
})

test("lets the front's container see the address of each client, of IPv6 too", () => {
  expect(compose.services["front"]).toMatchObject({ network_mode: "host" })
  expect(text("deploy/nginx/nginx.conf")).not.toContain("conf.d/*")
})

/** Settings that `.env` cannot change: the image has three of them and the app, and coturn answers STUN. */
const FIXED_IN_CONTAINERS = ["PORT", "HOST", "DATA_DIR", "WEB_DIR", "STUN_URL", "STUN_URLS"]

test("passes each setting of the server on to the containers", () => {
  for (const [, { environment = {} }] of servers) {
    expect([...Object.keys(environment), ...FIXED_IN_CONTAINERS].toSorted()).toEqual(settings().toSorted())
  }
})

test("the guide to self-hosting names each setting of the server", () => {
  const guide = text("docs/self-hosting.md")
  expect(settings().filter((name) => !new RegExp(`\\b${name}\\b`, "u").test(guide))).toEqual([])
})

test("the example has every variable of the containers, and every mount exists", () => {
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

test("the image runs the published server, and holds no local build output", () => {
  const dockerfile = text("deploy/Dockerfile")
  const copied = [...dockerfile.matchAll(/^COPY --from=\w+ \/keymoot\/(\S+) \1$/gmu)].map(([, path]) => path!)
  expect(copied).toEqual(["node_modules", "packages/server"])
  const { bin } = JSON.parse(text("packages/server/package.json")) as { bin: Record<string, string> }
  expect(dockerfile).toContain(`CMD ["node", "packages/server/${bin["keymoot-server"]}"]`)
  expect(dockerfile).toMatch(/^USER node$/mu)
  const ignored = text("deploy/Dockerfile.dockerignore").split("\n")
  for (const path of ["**/node_modules", "**/dist", ".git", "deploy/.env", "deploy/tls"])
    expect(ignored).toContain(path)
})

const noFront = findService("nginx") === null
if (noFront) console.log(`Skipped: what nginx logs. ${howToInstall("nginx")}.`)

test.skipIf(noFront)("nginx logs neither address nor conference when no process answers", async () => {
  const nginx = await startNginx([`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`])
  const id = "0123456789abcdef0123456789abcdef"
  const { status } = await fetch(`${nginx.url}/c/${id}`).finally(() => nginx.stop())
  expect(status).toBe(502)
  expect(nginx.log()).not.toMatch(new RegExp(`${id}|127\\.0\\.0\\.1|client:`, "u"))
})

describe.skipIf(noFront).each([
  ["an IPv4 address", () => "198.51.100.7", "198.51.100.8"],
  // Some bytes are line feeds, which `.` and `$` of a regular expression treat in their own way.
  ["an IPv6 network", (number: number) => `2001:db8:0:a:a0a:${number.toString(16)}::1`, "2001:db8:0:b::1"],
])("nginx in front of slow answers to %s", (_, addressOf, otherAddress) => {
  test("passes on as many requests as a server bears, and those of others", { timeout: 60_000 }, async () => {
    const waiting: ServerResponse[] = []
    const slow = createServer((request, response) => {
      if (request.url === "/slow") waiting.push(response)
      else response.end()
    })
    await new Promise<void>((done) => void slow.listen(0, "127.0.0.1", done))
    onTestFinished(() => (slow.closeAllConnections(), void slow.close()))
    const server = `127.0.0.1:${(slow.address() as AddressInfo).port}`
    const nginx = await startNginx([server, server])
    onTestFinished(() => nginx.stop())
    const ask = (path: string, address: string) =>
      fetch(`${nginx.url}${path}`, { headers: { "X-Test-Address": address } }).then(({ status }) => status)
    const [most, extra] = [(await exported("SOCKETS_PER_ADDRESS_MAX")) as number, 16]
    const asked = Array.from({ length: most + extra }, (_each, number) => ask("/slow", addressOf(number)))
    let refused = 0
    for (const answer of asked) void answer.then((status) => (refused += status === 429 ? 1 : 0))
    await vi.waitFor(() => expect([waiting.length, refused]).toEqual([most, extra]), 50_000)
    expect(await ask("/", otherAddress)).toBe(200)
    for (const response of waiting) response.end()
    await Promise.all(asked)
  })
})

test("both nginx templates bound one network address in the same way", () => {
  const bounds = (template: string): string[] => {
    const lines = text(`deploy/nginx/${template}`).split("\n")
    return lines.filter((line) =>
      /limit_conn|keymoot_network|client_\w+_timeout|send_timeout|reset_timed/u.test(line.replace(/proxy_\w+/u, "")),
    )
  }
  const [several, one] = [bounds("keymoot.conf.template"), bounds("one-process.conf.template")]
  expect(several.length).toBeGreaterThan(7)
  expect(one).toEqual(several)
})

const withoutNginx = findService("nginx") === null || !has("openssl", "version")
if (withoutNginx) console.log(`Skipped: nginx with TLS. ${howToInstall("nginx")}, and openssl.`)

/** A certificate of `localhost` and its key, as certbot names them. */
function writeCertificate(directory: string): void {
  const [certificate, key] = [join(directory, "fullchain.pem"), join(directory, "privkey.pem")]
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=test"]
  execFileSync("openssl", ["req", "-x509", ...curve, "-days", "1", "-keyout", key, "-out", certificate], {
    stdio: "ignore",
  })
}

/** @throws Error with nginx's output */
function checkNginx(directory: string): void {
  const args = ["-t", "-q", "-p", directory, "-c", join(directory, "nginx.conf")]
  execFileSync(findService("nginx")!, args, { stdio: "pipe" })
}

test.skipIf(withoutNginx)("nginx takes the front's configuration with TLS", () => {
  const directory = freshDirectory()
  writeCertificate(directory)
  const tls = text("deploy/nginx/tls.conf").replaceAll("/etc/keymoot/tls", directory)
  const listen = compose.services["front"]?.environment?.["KEYMOOT_LISTEN"]?.replaceAll("443", "8443") ?? ""
  expect(listen).toBe("8443 ssl; listen [::]:8443 ssl")
  writeNginxConfiguration(directory, { listen, tls, servers: ["127.0.0.1:8081", "127.0.0.1:8082"] })
  checkNginx(directory)
})

test.skipIf(withoutNginx || !has("envsubst", "--version"))("nginx takes what the guide writes without Docker", () => {
  const directory = freshDirectory()
  const [, section = ""] = text("docs/self-hosting.md").split("\n### Several processes without Docker\n")
  const [, commands = ""] = /```\n(sed .*?)nginx -t /su.exec(section) ?? []
  for (const path of ["keymoot", "nginx/conf.d", "letsencrypt/live/meet.example"])
    mkdirSync(join(directory, path), { recursive: true })
  writeCertificate(join(directory, "letsencrypt/live/meet.example"))
  // The directory stands in for /etc, but not in what sed looks for.
  const script = commands.replaceAll(/(?<!'s\|)\/etc\//gu, `${directory}/`).replaceAll("443 ssl", "8443 ssl")
  execFileSync("sh", ["-e", "-c", script], { cwd: root, stdio: "pipe" })
  const sites = ["keymoot", "keymoot-redirect"].map((name) => join(directory, `nginx/conf.d/${name}.conf`))
  const [site = "", redirect = ""] = sites.map((path) => readFileSync(path, "utf8"))
  expect(`${site}${redirect}`).not.toContain("${KEYMOOT_")
  expect(site).toContain("listen 8443 ssl; listen [::]:8443 ssl;")
  writeFileSync(sites[1]!, redirect.replaceAll(/(?<=listen (?:\[::\]:)?)80;/gu, "8080;"))
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${kind};`)
  const http = `http {\n${paths.join("\n")}\ninclude nginx/conf.d/*.conf;\n}\n`
  writeFileSync(join(directory, "nginx.conf"), `pid nginx.pid;\nerror_log stderr warn;\nevents {}\n${http}`)
  checkNginx(directory)
})

test("both nginx setups redirect from port 80 in the same way", () => {
  const [, redirect = "no server"] = /^(server \{.*\})$/msu.exec(text("deploy/nginx/redirect.conf.template")) ?? []
  expect(text("deploy/nginx/one-process.conf.template")).toContain(redirect)
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
