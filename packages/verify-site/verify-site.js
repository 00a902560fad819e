#!/usr/bin/env node
/** `npx @keymoot/verify-site URL [--manifest FILE]`: ends with 0 if the server serves the release, and with 1 otherwise. */
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
  const count = Object.keys(release).length
  if (count === 0 || release["/index.html"] === undefined) throw new Error("The manifest lists no app.")
  const found = await differences(new URL(address), release)
  for (const difference of found) print(difference)
  if (found.length > 0) process.exitCode = 1
  print(
    found.length === 0
      ? `${address} serves the ${count} files of the release.`
      : `${address} does not serve the release: ${found.length} differences.`,
  )
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 2
}
