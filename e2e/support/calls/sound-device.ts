/** A sound device of memory. Without one, Firefox suspends each AudioContext. */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { findService } from "@keymoot/tools"

/** `server`: the value of PULSE_SERVER with which a program plays on it. */
export type SoundDevice = { readonly server: string; readonly end: () => void }

/** It ends by itself if it is unused for so long, as when a test has failed. */
const IDLE_S = 240

/**
 * null: PulseAudio is not installed.
 * @throws Error if it does not start
 */
export async function startSoundDevice(): Promise<SoundDevice | null> {
  const program = findService("pulseaudio")
  if (program === null) return null
  const directory = mkdtempSync(join(tmpdir(), "keymoot-sound-"))
  const socket = join(directory, "socket")
  const modules = ["module-null-sink", `module-native-protocol-unix auth-anonymous=1 socket=${socket}`]
  const log = ["--log-target=stderr", "--log-level=info"]
  const options = ["-n", "--daemonize=no", "--use-pid-file=no", `--exit-idle-time=${IDLE_S}`, ...log]
  const daemon = spawn(program, [...options, ...modules.map((each) => `--load=${each}`)], {
    env: { ...process.env, HOME: directory, XDG_RUNTIME_DIR: directory },
    stdio: ["ignore", "ignore", "pipe"],
  })
  daemon.once("exit", () => rmSync(directory, { recursive: true, force: true }))
  const lines: string[] = []
  for await (const line of createInterface({ input: daemon.stderr })) {
    lines.push(line)
    if (!line.includes("Daemon startup complete")) continue
    daemon.stderr.resume()
    return { server: `unix:${socket}`, end: () => void daemon.kill() }
  }
  throw new Error(`PulseAudio did not start:\n${lines.join("\n")}`)
}
