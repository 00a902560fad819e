#!/usr/bin/env node
/**
 * `npx @keymoot/verify-site URL [--manifest FILE]`: ends with 0 if the server serves the release, with 1 if something differs,
 * and with 2 if it cannot tell.
 */
import { readFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { differences } from "./compare.js"

/** @param {string} text */
const print = (text) => void process.stdout.write(`${text}\n`)
const USAGE = "Usage: npx @keymoot/verify-site https://meet.example [--manifest FILE]"

try {
  const { values, positionals } = parseArgs({ options: { manifest: { type: "string" } }, allowPositionals: true })
  const [address] = positionals
  if (address === undefined || positionals.length > 1 || !URL.canParse(address)) throw new Error(USAGE)
  const release = JSON.parse(readFileSync(values.manifest ?? new URL("release.json", import.meta.url), "utf8"))
  if (release["/index.html"] === undefined) throw new Error("The manifest lists no app.")
  const { count, differing, unloaded } = await differences(new URL(address), release)
  for (const line of [...differing, ...unloaded]) print(line)
  if (differing.length > 0) {
    process.exitCode = 1
    print(`${address} does not serve the release: ${differing.length} differences.`)
  } else if (unloaded.length > 0)
    throw new Error(`${address} cannot be compared: ${unloaded.length} files cannot be loaded.`)
  else print(`${address} serves the ${count} files of the release.`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 2
}
