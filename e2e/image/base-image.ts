/** The base image that `deploy/Dockerfile` names, made here where no registry of images can be reached. */
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { buildah, run } from "./programs.ts"

export const BASE_IMAGE = "docker.io/library/node:24-bookworm-slim"
const DEBIAN = "bookworm"

/** Makes the image unless the storage has it: a minimal Debian, this Node, npm, and the user `node`. */
export async function ensureBaseImage(): Promise<void> {
  if (await buildah("images", "-q", BASE_IMAGE).catch(() => "")) return
  const root = mkdtempSync(join(tmpdir(), "keymoot-base-"))
  try {
    await run("debootstrap", ["--variant=minbase", DEBIAN, root])
    copyFileSync(realpathSync(process.execPath), join(root, "usr/local/bin/node"))
    cpSync(npmPackage(), join(root, "usr/local/lib/node_modules/npm"), { recursive: true })
    symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(root, "usr/local/bin/npm"))
    await run("chroot", [root, "useradd", "--create-home", "--uid", "1000", "node"])
    const settings = takeNpmSettings(root)
    const container = await buildah("from", "scratch")
    await buildah("add", "--quiet", container, root, "/")
    await buildah("config", ...settings.flatMap((setting) => ["--env", setting]), container)
    await buildah("commit", "--quiet", "--format", "docker", container, BASE_IMAGE)
    await buildah("rm", container)
  } finally {
    rmSync(root, { recursive: true })
  }
}

/** So that npm inside reaches the registry that it reaches here. @returns environment variables */
function takeNpmSettings(root: string): string[] {
  const config = join(homedir(), ".npmrc")
  if (existsSync(config)) copyFileSync(config, join(root, "root/.npmrc"))
  const path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
  const authorities = process.env["NODE_EXTRA_CA_CERTS"]
  if (!authorities) return [path]
  mkdirSync(join(root, "etc/ssl/host"), { recursive: true })
  copyFileSync(authorities, join(root, "etc/ssl/host/authorities.pem"))
  return [path, "NODE_EXTRA_CA_CERTS=/etc/ssl/host/authorities.pem"]
}

function npmPackage(): string {
  const programs = (process.env["PATH"] ?? "").split(delimiter).map((directory) => join(directory, "npm"))
  const npm = programs.find((program) => existsSync(program))
  if (npm === undefined) throw new Error("npm is not in the PATH")
  return dirname(dirname(realpathSync(npm)))
}
