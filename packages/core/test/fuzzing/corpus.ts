import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"

const FOLDER = new URL("corpus/", import.meta.url)

/** Inputs that reached new blocks in earlier runs: one a line, in hex. */
export function keptInputs(target: string): Uint8Array[] {
  const path = new URL(`${target}.txt`, FOLDER)
  if (!existsSync(path)) return []
  return readFileSync(path, "utf8").split("\n").filter(Boolean).map(hexToBytes)
}

export function keepInputs(target: string, inputs: readonly Uint8Array[]): void {
  mkdirSync(FOLDER, { recursive: true })
  const lines = new Set(inputs.filter(({ length }) => length > 0).map((input) => bytesToHex(input)))
  writeFileSync(new URL(`${target}.txt`, FOLDER), [...lines].map((line) => `${line}\n`).join(""))
}
