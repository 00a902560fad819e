/**
 * A member in a process of its own, with the client in the module that its first argument names. It joins by the link
 * in its second argument, and reports events on standard output, one JSON object a line. It ends with its standard
 * input.
 */
import { pathToFileURL } from "node:url"
import { nodeWebRtc } from "@keymoot/transport/node"
import * as native from "node-datachannel"
import type { Conference as CurrentConference } from "../../src/index.ts"
import type { openIdentityInNode as openCurrentIdentity } from "../../src/node/index.ts"

/** As far as it is used here, every release has the same interface. */
type Client = {
  readonly Conference: Pick<typeof CurrentConference, "join">
  readonly openIdentityInNode: typeof openCurrentIdentity
}

const [module, url] = process.argv.slice(2)
if (module === undefined || url === undefined) throw new Error("usage: client-process MODULE URL")
const tell = (said: Said): void => void process.stdout.write(`${JSON.stringify(said)}\n`)

/** Its reports. */
export type Said =
  | { readonly secured: number }
  | { readonly read: string }
  | { readonly others: readonly { readonly name: string; readonly older: "us" | "them" }[] }
  | { readonly security: string }
  | { readonly failed: string }

const { Conference, openIdentityInNode }: Client = await import(pathToFileURL(module).href)
const identity = await openIdentityInNode({ name: "Kept", wrtc: nodeWebRtc(native) })
const conference = await Conference.join({ url, identity }).catch((error: { readonly code: string }) => {
  tell({ failed: error.code })
  process.exit()
})
conference.on("view", ({ members }) => tell({ secured: members.length }))
conference.on("security", ({ code, detail }) => tell({ security: `${code}: ${detail}` }))
conference.on("other-version", (others) =>
  tell({ others: others.map(({ person, older }) => ({ name: person.name, older })) }),
)
const chat = conference.channel("chat", { history: true })
chat.on("message", ({ text, from }) => {
  if (!from.self) tell({ read: text })
})
void chat.send("from the kept client")
process.stdin.resume().once("end", () => process.exit())
