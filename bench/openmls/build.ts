/** npm run bench:openmls: builds OpenMLS from its crates, as WebAssembly and as a program of this machine, for `peers`. */
import { spawnSync } from "node:child_process"

const TARGET = "wasm32-wasip1"

/** In this folder. Gives whether it went well. */
function run(command: string, ...args: string[]): boolean {
  console.log(`${command} ${args.join(" ")}`)
  return spawnSync(command, args, { cwd: import.meta.dirname, stdio: "inherit" }).status === 0
}

function fail(why: string): never {
  console.error(why)
  process.exit(1)
}

if (!run("cargo", "--version")) fail("This needs Rust 1.91 or newer: https://rustup.rs.")
if (!run("cargo", "build", "--release")) fail("OpenMLS could not be built for this machine.")
run("rustup", "target", "add", TARGET)
if (!run("cargo", "build", "--release", "--lib", "--target", TARGET))
  fail(`OpenMLS could not be built as WebAssembly: rustup target add ${TARGET}.`)
