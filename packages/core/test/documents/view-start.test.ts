/** Changes that arrive before their receiver has secured its view with their sender. */
import { expect, test } from "vitest"
import type * as Y from "yjs"
import type { ConferenceView, Member } from "../../src/api/index.ts"
import type { EngineConnection } from "../../src/client/connection/engine-connection.ts"
import { Parts } from "../../src/client/parts.ts"
import { documentChannel, MessageKind } from "../../src/multicast/message-kind.ts"
import type { EngineEvent } from "../../src/rpc/protocol.ts"
import { documentOf, memberOf, peersOf } from "../conference-run/documents/documents.ts"

/** A page of Bob, who is alone in a secured view, and the board that he has opened. */
function bobAlone() {
  const reported: string[] = []
  const parts = new Parts({
    conference: "c0".repeat(16),
    connection: { call: async () => [] } as unknown as EngineConnection,
    present: {
      view: { members: [] } as unknown as ConferenceView,
      onEvent: (event: EngineEvent) => {
        if (event.type === "security") reported.push(`${event.event.code} ${event.event.member?.[0]}`)
      },
    },
    self: { ...memberOf("b"), self: true },
    incarnation: 1,
  })
  const page = {
    parts,
    reported,
    board: parts.document("board"),
    /** Installs a view of these members. It is not secured yet. */
    meet: (letters: string, viewers = "", incarnation = 1) => {
      const peers = peersOf(letters, viewers).map((peer) => ({ ...peer, incarnation }))
      const present = peers.map(({ id }) => id)
      const viewStart = {
        view: { id: "1".repeat(64), epoch: 2 },
        present,
        newcomers: [],
        transitional: [],
        awaited: [],
      }
      parts.onViewStart({ type: "viewStart", viewStart, peers })
    },
    secure: (letters: string) => {
      const people = { members: [], namesakes: [] }
      const view = { id: "1".repeat(64), epoch: 2, status: "secured", securedAtMs: 0, ...people } as const
      const change = { joined: [], left: [], lost: [], removed: [], cause: "joined" } as const
      parts.onView({ type: "view", view, change, transferScope: "nothing", peers: peersOf(letters) })
    },
    take: (from: Member, payload: Uint8Array, kind: number = MessageKind.documentUpdate) =>
      parts.onContent({ type: "payload", channel: documentChannel("board"), kind, from, payload }),
  }
  page.meet("b")
  page.secure("b")
  return page
}

/** The updates of a member that sets these keys of the board. */
function changesOf(letter: string, ...keys: string[]): Uint8Array[] {
  const { doc } = documentOf(letter)
  const updates: Uint8Array[] = []
  doc.on("update", (update: Uint8Array) => void updates.push(update))
  for (const key of keys) doc.getMap("elements").set(key, 1)
  return updates
}

const keysOf = ({ doc }: { readonly doc: Y.Doc }): string[] => [...doc.getMap("elements").keys()].toSorted()

test("takes a newcomer's changes when this member has not secured the view", () => {
  const { board, reported, meet, secure, take } = bobAlone()
  meet("ab")
  for (const update of changesOf("a", "first", "second")) take(memberOf("a"), update)
  expect(keysOf(board)).toEqual(["first", "second"])
  secure("ab")
  expect([keysOf(board), reported]).toEqual([["first", "second"], []])
})

test("takes a newcomer's changes when they begin the document here", () => {
  const { parts, reported, meet, take } = bobAlone()
  meet("ab")
  const channel = documentChannel("notes")
  const { doc } = documentOf("a", undefined, { name: "notes" })
  doc.on("update", (payload: Uint8Array) =>
    parts.onContent({ type: "payload", channel, kind: MessageKind.documentUpdate, from: memberOf("a"), payload }),
  )
  doc.getMap("elements").set("first", 1)
  expect([keysOf(parts.document("notes")), reported]).toEqual([["first"], []])
  take(memberOf("a"), changesOf("a", "second")[0]!)
  expect(reported).toEqual([])
})

test("refuses a stranger's changes when the view is installed without it", () => {
  const { board, reported, meet, secure, take } = bobAlone()
  meet("ab")
  const [update] = changesOf("e", "forged")
  take(memberOf("e"), update!)
  secure("ab")
  take(memberOf("e"), update!)
  expect([keysOf(board), reported]).toEqual([[], ["invalid-content e", "invalid-content e"]])
})

test("refuses a change under another newcomer's client id before the view is secured", () => {
  const { board, reported, meet, take } = bobAlone()
  meet("abe")
  const [update] = changesOf("a", "forged")
  take(memberOf("e"), update!)
  expect([keysOf(board), reported]).toEqual([[], ["invalid-content e"]])
})

test("refuses a departed member's changes once the next view is installed", () => {
  const { board, reported, meet, secure, take } = bobAlone()
  meet("abe")
  secure("abe")
  const [before, after] = changesOf("e", "before", "after")
  take(memberOf("e"), before!)
  meet("ab")
  take(memberOf("e"), after!)
  expect([keysOf(board), reported]).toEqual([["before"], ["invalid-content e"]])
})

test("refuses changes under a former incarnation once the view has the next one", () => {
  const { board, reported, meet, secure, take } = bobAlone()
  meet("ab")
  secure("ab")
  meet("ab", "", 2)
  take(memberOf("a"), changesOf("a", "former")[0]!)
  expect([keysOf(board), reported]).toEqual([[], ["invalid-content a"]])
})
