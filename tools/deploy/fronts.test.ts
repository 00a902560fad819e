/** The fronts of deploy/ for one process, with a real server behind them: TLS, redirects, WebSockets, addresses. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { get as getPlain, type IncomingMessage } from "node:http"
import { connect as connectHttp2 } from "node:http2"
import { get } from "node:https"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { expect, onTestFinished, test } from "vitest"
import { findService, freePort, howToInstall } from "../index.ts"
import { listening } from "../services/processes.ts"

const root = join(import.meta.dirname, "../..")
const NAME = "localhost"
const TOKEN = "a-token-of-a-test"

function freshDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "keymoot-front-"))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

interface Program {
  readonly child: ChildProcess
  /** Its standard error so far. */
  readonly log: () => string
  stop(): Promise<void>
}

/** Runs until the end of the test, or until it is stopped. */
function run(program: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Program {
  const env = { PATH: process.env["PATH"], ...environment }
  const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", "ignore", "pipe"] })
  let log = ""
  child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()))
  const ended = once(child, "close")
  const stop = async () => {
    child.kill("SIGTERM")
    await ended
  }
  onTestFinished(stop)
  return { child, log: () => log, stop }
}

interface Server extends Program {
  readonly port: number
}

async function startServer(): Promise<Server> {
  const port = await freePort()
  const server = run(process.execPath, ["--conditions=keymoot-source", "apps/signaling/main.mjs"], {
    PORT: String(port),
    DATA_DIR: freshDirectory(),
    WEB_DIR: "none",
    PUBLIC_ORIGIN: `https://${NAME}`,
    TRUST_PROXY: "1",
    METRICS_TOKEN: TOKEN,
  })
  await listening(server.child, "127.0.0.1", port)
  return { ...server, port }
}

interface Ports {
  /** The port with TLS. */
  readonly tlsPort: number
  readonly plainPort: number
}

async function headersOf(request: ReturnType<typeof get>): Promise<IncomingMessage> {
  const [response] = (await once(request, "response")) as [IncomingMessage]
  response.resume()
  return response
}

const insecure = { rejectUnauthorized: false }

/** Requirements for every front. */
async function expectFront(front: Program, { tlsPort, plainPort }: Ports, server: Server): Promise<void> {
  const https = `https://${NAME}:${tlsPort}`
  const health = await headersOf(get(`${https}/healthz`, insecure))
  expect(health.statusCode).toBe(200)
  expect(health.headers["strict-transport-security"]).toBe("max-age=31536000")

  const redirect = await headersOf(getPlain({ port: plainPort, path: "/c/abc", headers: { Host: NAME } }))
  expect(redirect.statusCode).toBeGreaterThan(300)
  expect(redirect.headers.location).toMatch(/^https:\/\/localhost(?::\d+)?\/c\/abc$/u)

  const forPrometheus = { ...insecure, headers: { Authorization: `Bearer ${TOKEN}` } }
  expect((await headersOf(get(`${https}/metrics`, forPrometheus))).statusCode).toBe(404)

  const session = connectHttp2(https, insecure)
  const stream = session.request({ ":path": "/healthz" })
  expect(await text(stream)).toBe("ok\n")
  session.close()

  const path = "/signaling/v1/?EIO=4&transport=websocket"
  const headers = {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": Buffer.alloc(16, 1).toString("base64"),
  }
  const upgrade = get(`${https}${path}`, { ...insecure, headers })
  const [answer, socket] = (await once(upgrade, "upgrade")) as [IncomingMessage, NodeJS.Socket]
  expect(answer.statusCode).toBe(101)
  const metrics = await fetch(`http://127.0.0.1:${server.port}/metrics`, forPrometheus)
  expect(await metrics.text()).toContain("keymoot_connections 1\n")
  socket.end()

  // A front that finds nobody behind it must not write down who asked for which conference.
  await server.stop()
  const id = "0123456789abcdef0123456789abcdef"
  expect((await headersOf(get(`${https}/c/${id}`, insecure))).statusCode).toBe(502)
  await front.stop()
  expect(front.log()).not.toContain(id)
}

function hasOpenssl(): boolean {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

test("docs/self-hosting.md shows deploy/'s Caddyfile and all of nginx's variables", () => {
  const read = (path: string) => readFileSync(join(root, path), "utf8")
  const document = read("docs/self-hosting.md")
  const site = /^meet\.example \{[^}]*\}$/mu.exec(read("deploy/caddy/Caddyfile"))?.[0] ?? "no site"
  expect(document).toContain(site)
  const variables = (text: string) => new Set([...text.matchAll(/\$\{(KEYMOOT_\w+)\}/gu)].map(([, name]) => name!))
  for (const template of ["one-process", "keymoot", "redirect"]) {
    const names = variables(read(`deploy/nginx/${template}.conf.template`))
    for (const name of names) expect(document).toContain(`\`${name}\``)
    // A variable outside these quotes would stay in nginx's configuration.
    const [before = ""] = document.split(` < deploy/nginx/${template}.conf.template`)
    const filled = /'([^']*)'[\s\\]*$/u.exec(before)?.[1] ?? ""
    expect(new Set(filled.replaceAll("$", "").split(" "))).toEqual(names)
  }
})

const withoutNginx = findService("nginx") === null || !hasOpenssl()
if (withoutNginx) console.log(`Skipped: nginx for one process. ${howToInstall("nginx")}, and openssl.`)

test.skipIf(withoutNginx)("nginx for one process serves TLS, HTTP/2, IPv6, WebSockets and redirects", async () => {
  const directory = freshDirectory()
  const server = await startServer()
  const ports = { tlsPort: await freePort(), plainPort: await freePort() }
  const [certificate, key] = [join(directory, "fullchain.pem"), join(directory, "privkey.pem")]
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", `/CN=${NAME}`]
  execFileSync("openssl", ["req", "-x509", ...curve, "-days", "1", "-keyout", key, "-out", certificate], {
    stdio: "ignore",
  })
  const values: Readonly<Record<string, string>> = {
    KEYMOOT_NAME: NAME,
    KEYMOOT_SERVER: `127.0.0.1:${server.port}`,
    KEYMOOT_TLS: directory,
  }
  const template = readFileSync(join(root, "deploy/nginx/one-process.conf.template"), "utf8")
  const site = template
    .replaceAll(/\$\{(\w+)\}/gu, (_all, name: string) => values[name] ?? `missing ${name}`)
    .replaceAll(/(listen (?:\[::\]:)?)(80|443)\b/gu, (_all, listen: string, port: string) => {
      return `${listen}${port === "80" ? ports.plainPort : ports.tlsPort}`
    })
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `  ${kind}_temp_path ${kind};\n`)
  const file = join(directory, "nginx.conf")
  writeFileSync(file, `pid nginx.pid;\nerror_log stderr warn;\nevents {}\nhttp {\n${paths.join("")}${site}\n}\n`)
  const nginx = run(findService("nginx")!, ["-p", directory, "-c", file, "-g", "daemon off;"])
  await listening(nginx.child, "127.0.0.1", ports.tlsPort)
  const overIpv6 = get({ host: "::1", port: ports.tlsPort, path: "/healthz", servername: NAME, ...insecure })
  expect((await headersOf(overIpv6)).statusCode).toBe(200)
  await expectFront(nginx, ports, server)
})

const withoutCaddy = findService("caddy") === null
if (withoutCaddy) console.log(`Skipped: Caddy. ${howToInstall("caddy")}.`)

test.skipIf(withoutCaddy)("Caddy serves TLS, HTTP/2, WebSockets and redirects", async () => {
  const directory = freshDirectory()
  const server = await startServer()
  const ports = { tlsPort: await freePort(), plainPort: await freePort() }
  // A certificate of Caddy's own authority, and ports for everybody: the rest is as it stands.
  const options = `admin off\n\thttp_port ${ports.plainPort}\n\thttps_port ${ports.tlsPort}\n\tskip_install_trust\n\tlog {`
  const caddyfile = readFileSync(join(root, "deploy/caddy/Caddyfile"), "utf8")
    .replace("log {", options)
    .replace("meet.example {", `${NAME} {\n\ttls internal`)
    .replace("127.0.0.1:8080", `127.0.0.1:${server.port}`)
  const file = join(directory, "Caddyfile")
  writeFileSync(file, caddyfile)
  mkdirSync(join(directory, "home"))
  const home = { HOME: join(directory, "home"), XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory }
  const caddy = run(findService("caddy")!, ["run", "--config", file, "--adapter", "caddyfile"], home)
  await listening(caddy.child, "127.0.0.1", ports.tlsPort)
  // It listens before its authority has made the certificate.
  const health = () => headersOf(get(`https://${NAME}:${ports.tlsPort}/healthz`, insecure))
  await expect
    .poll(() =>
      health().then(
        ({ statusCode }) => statusCode,
        () => null,
      ),
    )
    .toBe(200)
  await expectFront(caddy, ports, server)
})
