import type { MemberId, Service } from "@keymoot/transport"
import * as P from "micro-packed"

import { domainSeparated, hexId, oneOf, U64 } from "../wire/index.ts"

/** Delivery guarantee of an application's messages. */
export type BatchService = Exclude<Service, "none">

/** Where a batch belongs. */
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
 * What a batch is authenticated with beside its ciphertext: moved to another place (conference, view, sender, service,
 * number) it does not open. Channels need no mention, since they are inside.
 */
export function encodeAssociatedData(place: BatchPlace): Uint8Array {
  return domainSeparated("keymoot v1 batch", batchPlace.encode(place))
}
