/** Documents of members without a conference: the test chooses the receivers of each message. */
import type { MemberId } from "@keymoot/transport"
import type { ConferenceView, Member, SecurityEvent } from "../../../src/api/index.ts"
import { ConferenceDocument, type DocumentConfig } from "../../../src/client/documents/document.ts"
import { newTransfers, type TransfersOfDocuments } from "../../../src/client/documents/document-transfers.ts"
import type { EngineConnection } from "../../../src/client/connection/engine-connection.ts"
import type { DocumentPeer } from "../../../src/documents/client-id.ts"
import { transferIn } from "../../../src/history/arrivals.ts"

export type Call = (
  call: string,
  params: { readonly kind?: number; readonly payload?: Uint8Array; readonly channel?: string },
) => Promise<unknown>

/** Members go by one letter. */
export function idOf(letter: string): MemberId {
  return letter.repeat(32) as MemberId
}

export function memberOf(letter: string): Member {
  return { id: idOf(letter), name: letter, self: false } as Member
}

/** A view of these. `viewers`: those of them who do not write. */
export function peersOf(letters: string, viewers = ""): DocumentPeer[] {
  return [...letters].map((letter) => ({ id: idOf(letter), incarnation: 1, writes: !viewers.includes(letter) }))
}

const VIEW = "d0".repeat(32)
/** The history transfer of the only view. */
export const TRANSFER = transferIn(VIEW)

/** Transfers of a member in its first view: these members joined in it, and it expects a transfer from each. */
export function awaiting(letters: string): TransfersOfDocuments {
  const transfers = newTransfers()
  const newcomers = [...letters].map(idOf)
  const view = { id: VIEW, epoch: 1 }
  transfers.arrivals.onView({ view, present: newcomers, newcomers, transitional: [], awaited: newcomers }, 0)
  return transfers
}

type More = Partial<DocumentConfig> & {
  readonly incarnation?: number
  readonly report?: (event: SecurityEvent) => void
}

export function documentOf(letter: string, call: Call = async () => [], more: More = {}): ConferenceDocument {
  const { incarnation = 1, report, ...config } = more
  return new ConferenceDocument({
    name: "board",
    conference: "c0".repeat(16),
    connection: { call } as unknown as EngineConnection,
    present: {
      view: { members: [] } as unknown as ConferenceView,
      onEvent: (event) => event.type === "security" && report?.(event.event),
    },
    self: { id: idOf(letter), incarnation },
    transfers: newTransfers(),
    ...config,
  })
}
