import { accessSync, constants, existsSync, readdirSync } from "node:fs"
import { delimiter, join } from "node:path"

export type Service =
  | "postgres"
  | "redis-server"
  | "nginx"
  | "turnserver"
  | "caddy"
  | "promtool"
  | "WebKitWebDriver"
  | "Xvfb"
  | "nft"
  | "pulseaudio"

/** Debian's names of the packages. */
export const PACKAGES: Readonly<Record<Service, string>> = {
  postgres: "postgresql",
  "redis-server": "redis-server",
  nginx: "nginx",
  turnserver: "coturn",
  caddy: "caddy",
  promtool: "prometheus",
  WebKitWebDriver: "webkit2gtk-driver",
  Xvfb: "xvfb",
  nft: "nftables",
  pulseaudio: "pulseaudio",
}

/** Directories outside a user's PATH. */
const SYSTEM_DIRECTORIES = ["/usr/local/sbin", "/usr/sbin", "/opt/homebrew/bin", "/opt/homebrew/sbin"]
/** Debian keeps each version of PostgreSQL in a directory of its own and links only the clients into the PATH. */
const POSTGRES_VERSIONS = "/usr/lib/postgresql"

/** The path of the program, or null if it is not installed. */
export function findService(service: Service): string | null {
  const directories = (process.env["PATH"] ?? "").split(delimiter).filter((directory) => directory !== "")
  if (service === "postgres") directories.push(...postgresDirectories())
  directories.push(...SYSTEM_DIRECTORIES)
  return directories.map((directory) => join(directory, service)).find(isExecutable) ?? null
}

/** Completes a sentence that says what was skipped. */
export function howToInstall(service: Service): string {
  return `${service} is not installed: "node tools/ensure-services.ts" installs it where it can, else install ${PACKAGES[service]}`
}

/** The newest version first. */
function postgresDirectories(): string[] {
  if (!existsSync(POSTGRES_VERSIONS)) return []
  const versions = readdirSync(POSTGRES_VERSIONS).toSorted((one, other) => Number(other) - Number(one))
  return versions.map((version) => join(POSTGRES_VERSIONS, version, "bin"))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
