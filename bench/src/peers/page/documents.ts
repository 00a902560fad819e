/** A message is an entry at the end of an array of a Yjs document: what y-webrtc is for, and the same over Keymoot. */
import { WebrtcProvider } from "y-webrtc"
import * as Y from "yjs"
import type { Connect, Contestant, Role } from "./contestant.ts"
import { enterKeymoot } from "./keymoot.ts"

const OTHER = { first: "second", second: "first" } as const

export const yWebrtc: Connect = async ({ relay, role }) => {
  const doc = new Y.Doc()
  const options = { signaling: [relay], peerOpts: { config: { iceServers: [] } } }
  const provider = new WebrtcProvider("pair", doc, options)
  await new Promise<void>((synced) => provider.on("synced", ({ synced: isSynced }) => isSynced && synced()))
  return overDocument(doc, role)
}

export const keymootDocument: Connect = async (to, tell) => {
  const conference = await enterKeymoot(to, tell)
  return overDocument(conference.document("bench").doc, to.role)
}

function overDocument(doc: Y.Doc, role: Role): Contestant {
  const [own, theirs] = [doc.getArray<Uint8Array>(role), doc.getArray<Uint8Array>(OTHER[role])]
  return {
    send: async (bytes) => own.push([bytes]),
    listen: (onMessage) =>
      theirs.observe(({ changes }) => {
        for (const { insert } of changes.delta)
          for (const bytes of (insert as Uint8Array[] | undefined) ?? []) onMessage(bytes)
      }),
  }
}
