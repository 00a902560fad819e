/** Small transfers that inflate to as much as a receiver takes, and more. */
import type { MemberId } from "@keymoot/transport"
import type { ConferenceView, Member, SecurityEvent } from "../../src/api/index.ts"
import { ConferenceDocument } from "../../src/client/documents/document.ts"
import { newTransfers } from "../../src/client/documents/document-transfers.ts"
import { DOCUMENT_BYTES_MAX } from "../../src/client/documents/document-sender.ts"
import type { EngineConnection } from "../../src/client/connection/engine-connection.ts"
import { documentChannel, MessageKind } from "../../src/multicast/message-kind.ts"
import { splitIntoChunks } from "../../src/history/chunks.ts"
import { transferIn } from "../../src/history/arrivals.ts"
import { deflate } from "../../src/wire/index.ts"

const VIEW = "c".repeat(64)
export const memberAt = (index: number): MemberId => `${index}`.padStart(32, "0") as MemberId

/** Bytes that are not an update of a document, of the maximum size. */
export const packBomb = (): Promise<Uint8Array> => deflate(new Uint8Array(DOCUMENT_BYTES_MAX).fill(0xff))

/** A document in a view with so many members, of whom the first `newcomers` have just come. */
export function openTarget(members: number, newcomers: number) {
  const transfers = newTransfers()
  const present = Array.from({ length: members }, (_, index) => memberAt(index))
  const view = { id: VIEW, members: present.map((id) => ({ id })) } as unknown as ConferenceView
  const events: SecurityEvent[] = []
  const connection = { call: async () => [] } as unknown as EngineConnection
  const document = new ConferenceDocument({
    name: "board",
    conference: "c0".repeat(16),
    connection,
    self: { id: "f".repeat(32) as MemberId, incarnation: 1 },
    transfers,
    present: { view, onEvent: (event) => event.type === "security" && events.push(event.event) },
  })
  const came = present.slice(0, newcomers)
  transfers.arrivals.onView(
    { view: { id: VIEW, epoch: 2 }, present, newcomers: came, transitional: [], awaited: came },
    0,
  )
  const send = (from: MemberId, packed: Uint8Array, kind: number = MessageKind.documentChunk): void => {
    for (const payload of splitIntoChunks(packed, transferIn(VIEW))) {
      const sender = { id: from, self: false } as Member
      document.onPayload({ type: "payload", channel: documentChannel("board"), kind, from: sender, payload })
    }
  }
  return { document, events, send }
}
