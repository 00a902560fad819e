/** The measured peers, and the guarantees that each lacks. A rate without those would mislead. */
import type { ContestantName } from "./page/index.ts"

export type Contestant = {
  readonly name: ContestantName
  /** With its version. */
  readonly module: string
  readonly work: "messages" | "documents"
  /** For the page and the document: none of it, unless said. */
  readonly lacks: string
}

const NO_GROUP = "no signatures, no order between senders, no agreed membership, no group key"

export const CONTESTANTS: readonly Contestant[] = [
  { name: "rawChannel", module: "data channel", work: "messages", lacks: `DTLS between two; ${NO_GROUP}` },
  { name: "simplePeer", module: "simple-peer 9.11.1", work: "messages", lacks: `DTLS between two; ${NO_GROUP}` },
  { name: "trystero", module: "trystero 0.25.4", work: "messages", lacks: `rooms over DTLS; ${NO_GROUP}` },
  {
    name: "keymootFifo",
    module: "keymoot, fifo",
    work: "messages",
    lacks: "encrypted under the group key and signed; in each sender's order only",
  },
  {
    name: "keymootAgreed",
    module: "keymoot, agreed",
    work: "messages",
    lacks: "encrypted under the group key, signed, in one order for all, in an agreed view",
  },
  {
    name: "yWebrtc",
    module: "y-webrtc 10.3.0",
    work: "documents",
    lacks: "documents that converge over DTLS; no signatures, no agreed membership, no group key",
  },
  {
    name: "keymootDocument",
    module: "keymoot, document",
    work: "documents",
    lacks: "documents that converge, encrypted under the group key and signed",
  },
]
