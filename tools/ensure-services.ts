/**
 * Sees to it that the programs that tests talk to are there, and says which tests will be skipped without them. Unlike the
 * browsers they are no condition of `npm test`: the server runs without any of them.
 */
import { spawnSync, type SpawnSyncOptions } from "node:child_process"
import { existsSync } from "node:fs"
import { findService, PACKAGES, type Service } from "./services.ts"

/** Without a network apt-get tries for long. */
const APT_TIMEOUT_MS = 300_000
const SERVICES = Object.keys(PACKAGES) as Service[]

const missing = () => SERVICES.filter((service) => findService(service) === null)

if (missing().length > 0 && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) installWithApt()
for (const service of SERVICES) {
  const path = findService(service)
  console.log(path === null ? `No ${service}: its tests will be skipped.` : `Testing with ${path}.`)
}

function installWithApt(): void {
  const packages = missing().map((service) => PACKAGES[service])
  console.log(`Installing ${packages.join(", ")} with apt-get.`)
  // Run level 1: the packages' scripts start no service, and the tests start their own.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" }
  const options: SpawnSyncOptions = { stdio: ["ignore", "ignore", "inherit"], env, timeout: APT_TIMEOUT_MS }
  spawnSync("apt-get", ["update"], options)
  // One by one: a distribution that lacks one of them may have the others.
  for (const name of packages) spawnSync("apt-get", ["install", "--yes", "--no-install-recommends", name], options)
}
