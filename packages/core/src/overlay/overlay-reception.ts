/** Verifies messages of neighbours over the overlay before they are processed and forwarded. */
import {
  decodeLinkRecord,
  gossipIdOfBytes,
  linkRecordOrigin,
  type CarriedFrame,
  type LinkRecord,
  type MemberId,
  type Mesh,
  type OverlayInput,
  type OverlayMessage,
  type OverlayWireMessage,
} from "@keymoot/transport"
import type { MemberCredential, MemberCredentialChecker } from "../identity/certificates/credential-checker.ts"
import type { Charge, FrameOpener, FrameRejection } from "../frames/frame-opener.ts"
import type { CheckedRecord, LinkRecords } from "./link-records.ts"
import { equalBytes } from "../wire/index.ts"
import type { Topology } from "./topology.ts"

type Message = OverlayMessage<CarriedFrame, CheckedRecord>

export type OverlayReceptionConfig = {
  readonly own: MemberCredential
  readonly checker: MemberCredentialChecker
  readonly records: LinkRecords
  readonly topology: Pick<Topology, "overlay">
  readonly mesh: Pick<Mesh, "certificateOf">
}

/** `input`: verified, for the overlay. `fault`: of the message, if the neighbour caused it. */
type Taken = {
  readonly input: OverlayInput<CarriedFrame, CheckedRecord> | null
  readonly fault: FrameRejection | null
}
const NOTHING: Taken = { input: null, fault: null }

export class OverlayReception {
  readonly #config: OverlayReceptionConfig

  constructor(config: OverlayReceptionConfig) {
    this.#config = config
  }

  async take(from: MemberId, message: OverlayWireMessage, opener: FrameOpener, charge: Charge): Promise<Taken> {
    switch (message.kind) {
      case "discovery":
        return inputOf(from, { type: "discovery", message: message.message })
      case "versions":
      case "news":
      case "wanted":
        return inputOf(from, { type: "linkState", message })
      case "records":
        return this.#takeRecords(from, message.records, charge)
      case "announce":
      case "graft":
      case "prune":
        return inputOf(from, { type: "gossip", message })
      case "gossip":
      case "routed":
        return this.#takeFrame(from, message, opener, charge)
    }
  }

  async #takeRecords(from: MemberId, all: readonly Uint8Array[], charge: Charge): Promise<Taken> {
    const records = all.map((bytes) => this.#known(bytes) ?? decodeLinkRecord(bytes))
    if (records.includes(null)) return { input: null, fault: "malformed" }
    const checked = await Promise.all(
      records.map(async (record): Promise<CheckedRecord | null | "bad"> => {
        if (record!.origin === this.#config.own.member) return null
        if (!this.#config.topology.overlay.isNews(record!)) return this.#sameAs(record!)
        charge(1)
        const credential = await this.#credentialOf(record!.origin, from)
        return credential && ((await this.#config.records.check(record!, credential)) ?? "bad")
      }),
    )
    const good = checked.filter((record) => record !== null && record !== "bad")
    const news = { type: "linkState", message: { kind: "records", records: good } } as const
    const { input } = good.length > 0 ? inputOf(from, news) : NOTHING
    return { input, fault: checked.includes("bad") ? "bad-signature" : null }
  }

  /** The known record with these bytes. Most neighbours send the same one, and decoding costs as much as verifying. */
  #known(bytes: Uint8Array): CheckedRecord | undefined {
    const origin = linkRecordOrigin(bytes)
    const known = origin === null ? undefined : this.#config.topology.overlay.recordOf(origin)
    return known && equalBytes(known.bytes, bytes) ? known : undefined
  }

  /** For a known record only the neighbour's possession counts. An older record has no effect. */
  #sameAs({ origin, incarnation, sequence }: LinkRecord): CheckedRecord | null {
    const known = this.#config.topology.overlay.recordOf(origin)
    return known?.incarnation === incarnation && known.sequence === sequence ? known : null
  }

  async #takeFrame(
    from: MemberId,
    message: Extract<OverlayWireMessage, { kind: "gossip" | "routed" }>,
    opener: FrameOpener,
    charge: Charge,
  ): Promise<Taken> {
    const id = gossipIdOfBytes(message.frame)
    const isKnown = message.kind === "gossip" && this.#config.topology.overlay.wasSaid(id)
    const opened = isKnown
      ? null
      : await opener.open(message.frame, charge, (origin) => this.#credentialOf(origin, from))
    // Not the neighbour's fault: it may be ahead of this member, or have lost the member that knew the origin.
    if (opened === "too-late" || opened === "unknown-origin") return NOTHING
    if (typeof opened === "string") return { input: null, fault: opened }
    if (message.kind === "gossip") {
      const gossip = { id, message: opened!, bytes: message.frame.length }
      return inputOf(from, { type: "gossip", message: { kind: "gossip", gossip } })
    }
    const { target, hopsLeft } = message
    return inputOf(from, { type: "routed", target, hopsLeft, message: opened! })
  }

  /** The neighbour must have the certificate, because it verified what it forwarded. */
  async #credentialOf(member: MemberId, from: MemberId): Promise<MemberCredential | null> {
    const { checker, mesh, own } = this.#config
    if (member === own.member) return own
    const known = this.#config.topology.overlay.recordOf(member)?.credential
    if (known) return known
    const found = await mesh.certificateOf(member, from)
    return found && checker.check(found.certificate)
  }
}

function inputOf(from: MemberId, message: Message): Taken {
  return { input: { type: "message", from, message }, fault: null }
}
