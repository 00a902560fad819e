import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort, listening } from "./processes.ts"
import { findService, howToInstall } from "./services.ts"

const TEMPLATE = join(import.meta.dirname, "../../deploy/nginx/keymoot.conf.template")

/** As in deploy/nginx/nginx.conf. */
const EVENTS = "events {\n  worker_connections 16384;\n}"
/** Lets a test come from any network address. */
const REAL_ADDRESS = "set_real_ip_from 127.0.0.1;\nreal_ip_header X-Test-Address;"

/** A load balancer on 127.0.0.1 with the configuration of deploy/. */
export interface Nginx {
  readonly url: string
  /** Its log on standard error; complete after `stop`. */
  log(): string
  stop(): Promise<void>
}

/**
 * @param servers two processes as host:port; they need not be there yet
 * @throws Error when nginx is not installed or does not start
 */
export async function startNginx(servers: readonly [string, string]): Promise<Nginx> {
  const program = findService("nginx")
  if (program === null) throw new Error(howToInstall("nginx"))
  const directory = mkdtempSync(join(tmpdir(), "keymoot-nginx-"))
  const port = await freePort()
  writeNginxConfiguration(directory, { listen: `127.0.0.1:${port}`, tls: "", servers })
  const args = ["-p", directory, "-c", join(directory, "nginx.conf"), "-g", "daemon off;"]
  const child = spawn(program, args, { stdio: ["ignore", "inherit", "pipe"] })
  let log = ""
  child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()))
  const ended = once(child, "close")
  // Stops it when this process ends without doing so.
  const stopAtExit = () => void child.kill("SIGTERM")
  process.once("exit", stopAtExit)
  await listening(child, "127.0.0.1", port)
  return {
    url: `http://localhost:${port}`,
    log: () => log,
    stop: async () => {
      process.off("exit", stopAtExit)
      child.kill("SIGTERM")
      await ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** The configuration of nginx in `directory`: the template of deploy/, filled in, within the minimum that it needs. */
export function writeNginxConfiguration(
  directory: string,
  values: { readonly listen: string; readonly tls: string; readonly servers: readonly [string, string] },
): void {
  const tls = join(directory, "tls.conf")
  writeFileSync(tls, values.tls)
  const filled: Readonly<Record<string, string>> = {
    KEYMOOT_LISTEN: values.listen,
    KEYMOOT_TLS_CONF: tls,
    KEYMOOT_SERVER_1: values.servers[0],
    KEYMOOT_SERVER_2: values.servers[1],
  }
  const site = readFileSync(TEMPLATE, "utf8").replaceAll(/\$\{(\w+)\}/gu, (_all, name: string) => filled[name] ?? "")
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `  ${kind}_temp_path ${kind};\n`)
  writeFileSync(
    join(directory, "nginx.conf"),
    `pid nginx.pid;\nerror_log stderr warn;\n${EVENTS}\nhttp {\n${paths.join("")}${REAL_ADDRESS}\n${site}\n}\n`,
  )
}
