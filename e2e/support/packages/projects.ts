import { execFileSync, spawn } from "node:child_process"
import { rmSync } from "node:fs"
import { delimiter, join } from "node:path"
import { createInterface } from "node:readline"
import { PackedPackages, type Project } from "@keymoot/tools"

/** A running program of a project, of which a line of output has said that it is ready. */
export type Running = { readonly match: RegExpExecArray; stop(): void }

/** The examples as projects of somebody who has installed the packed packages. */
export class Projects {
  readonly #packed = new PackedPackages()
  readonly #made = new Map<string, Promise<Project>>()
  readonly #built = new Set<string>()

  /** The same one for the same example. */
  of(example: string): Promise<Project> {
    const made = this.#made.get(example) ?? this.#packed.project(`examples/${example}`)
    this.#made.set(example, made)
    return made
  }

  /** The folder in which the example's own script, run once, has built it. */
  async built(example: string, script = "build"): Promise<string> {
    const project = await this.of(example)
    const name = `${example} ${script}`
    if (!this.#built.has(name)) runScript(project, script)
    this.#built.add(name)
    return join(project.directory, "dist")
  }

  async dispose(): Promise<void> {
    for (const { directory } of await Promise.all(this.#made.values())) rmSync(directory, { recursive: true })
    this.#packed.dispose()
  }
}

export function runScript(project: Project, script: string): void {
  execFileSync("npm", ["run", "--silent", script], {
    cwd: project.directory,
    env: environmentOf(project),
    stdio: "pipe",
  })
}

/** @param ready what the line looks like that says so */
export async function start(
  project: Project,
  command: readonly [string, ...string[]],
  ready: RegExp,
  env: Record<string, string> = {},
): Promise<Running> {
  const [program, ...args] = command
  const child = spawn(program, args, {
    cwd: project.directory,
    env: { ...environmentOf(project), ...env },
    stdio: ["ignore", "pipe", "inherit"],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const match = ready.exec(line)
    if (match === null) continue
    child.stdout.resume()
    return { match, stop: () => void child.kill("SIGTERM") }
  }
  throw new Error(`${command.join(" ")} ended before it was ready: its reason stands above.`)
}

export function environmentOf({ path }: Project): NodeJS.ProcessEnv {
  // Playwright colours what runs under it, which would hide the lines that are waited for.
  const { FORCE_COLOR: _, ...env } = process.env
  return { ...env, NO_COLOR: "1", PATH: [path, env["PATH"]].join(delimiter) }
}
