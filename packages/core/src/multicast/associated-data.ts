import type { MemberId, Service } from "@keymoot/transport"
import * as P from "micro-packed"

import { domainSeparated, hexId, oneOf, U64 } from "../wire/index.ts"

/** Delivery guarantee of an application's messages. */
export type BatchService = Exclude<Service, "none">

/** Position of a batch. */
export type BatchPlace = {
  /** Hex, 32 digits. */
  readonly conferenceId: string
  /** Hex, 64 digits. */
  readonly viewId: string
  readonly epoch: number
  readonly sender: MemberId
  readonly incarnation: number
  readonly service: BatchService
  /** See `batchNumber`. */
  readonly sequence: number
}

const batchPlace: P.CoderType<BatchPlace> = P.struct({
  conferenceId: hexId(16),
  viewId: hexId(32),
  epoch: U64,
  sender: hexId(16) as unknown as P.CoderType<MemberId>,
  incarnation: U64,
  service: oneOf(["unreliable", "reliable", "fifo", "causal", "agreed", "safe"]),
  sequence: U64,
})

/**
 * Associated data of a batch. A batch that is moved to another conference, view, sender, service or number fails to
 * decrypt. Channels are inside the ciphertext.
 */
export function encodeAssociatedData(place: BatchPlace): Uint8Array {
  return domainSeparated("keymoot v1 batch", batchPlace.encode(place))
}
