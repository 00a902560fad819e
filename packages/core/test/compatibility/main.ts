/**
 * Joins by the link in its first argument, as a client of the next major version of the protocol. It ends with its
 * standard input.
 */
import { PROTOCOL } from "@keymoot/transport"
import { KeptClient } from "./kept-client.ts"

const url = process.argv[2]
if (url === undefined) throw new Error("usage: main URL")
const kept = new KeptClient(() => ({ major: PROTOCOL.major + 1, features: [] }))
kept.join(url)
process.stdin.resume().once("end", () => {
  kept.remove()
  process.exit()
})
