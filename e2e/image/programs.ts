/** The programs that build and run containers. */
import { execFile } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

const NEEDED = ["buildah", "podman", "runc", "debootstrap"] as const

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024

/** Runs a program, and resolves with its output. @throws Error with what it wrote */
export async function run(program: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { env: { ...process.env, ...more }, maxBuffer: OUTPUT_BYTES_MAX }
  return (await promisify(execFile)(program, args, options)).stdout.trim()
}

/** Why containers cannot be built and run here; null if they can. */
export async function whyNoContainers(): Promise<string | null> {
  if (process.getuid?.() !== 0) return "building a container here needs root"
  for (const program of NEEDED) {
    const found = await run("which", [program]).catch(() => "")
    if (found === "") return `${program} is not installed: apt-get install ${NEEDED.join(" ")}`
  }
  return null
}

/** Settings for a sandbox: its kernel has no overlay, and its limits are below the defaults of Podman. */
let environment: NodeJS.ProcessEnv | null = null

async function containers(): Promise<NodeJS.ProcessEnv> {
  if (environment) return environment
  const files = await run("sh", ["-c", "ulimit -Hn"])
  const config = join(mkdtempSync(join(tmpdir(), "keymoot-containers-")), "containers.conf")
  const limits = `default_ulimits = ["nofile=${files}:${files}", "nproc=4096:4096"]`
  const engine = `[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n`
  writeFileSync(config, `[containers]\n${limits}\n${engine}`)
  return (environment = { STORAGE_DRIVER: "vfs", BUILDAH_ISOLATION: "chroot", CONTAINERS_CONF: config })
}

export async function buildah(...args: readonly string[]): Promise<string> {
  return run("buildah", args, await containers())
}

export async function podman(...args: readonly string[]): Promise<string> {
  return run("podman", args, await containers())
}
