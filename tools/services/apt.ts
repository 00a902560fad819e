import { spawnSync, type SpawnSyncOptions } from "node:child_process"
import { rmSync, writeFileSync } from "node:fs"

/** Without a network apt-get tries for long. */
const TIMEOUT_MS = 300_000
/** Debian's scripts ask it before they start a service; 101 forbids that. */
const POLICY = "/usr/sbin/policy-rc.d"
const FORBID = "#!/bin/sh\nexit 101\n"

/**
 * Installs Debian's packages as root, and starts none of their services: tests start their own, and no stranger's PostgreSQL or
 * coturn stays behind. A package that cannot be installed is left out.
 */
export function installWithApt(packages: readonly string[]): void {
  console.log(`Installing ${packages.join(", ")} with apt-get.`)
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
  const options: SpawnSyncOptions = { stdio: ["ignore", "ignore", "inherit"], env, timeout: TIMEOUT_MS }
  // A signal ends apt-get, too. Node would end with it and leave the policy, so it ends when the policy is gone.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1))
  withoutServices(() => {
    spawnSync("apt-get", ["update"], options)
    // One by one: a distribution that lacks one of them may have the others.
    for (const name of packages) spawnSync("apt-get", ["install", "--yes", "--no-install-recommends", name], options)
  })
}

/** Runs it while Debian's scripts may start no service. A policy that the machine has already is its owner's, and stays. */
export function withoutServices(install: () => void, policy = POLICY): void {
  const isOurs = written(policy)
  try {
    install()
  } finally {
    if (isOurs) rmSync(policy)
  }
}

/** @returns false if the file exists */
function written(policy: string): boolean {
  try {
    writeFileSync(policy, FORBID, { mode: 0o755, flag: "wx" })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
    throw error
  }
}
