/** The way in from the links: each neighbour's messages one after another, decoded and verified before the group sees them. */
import { decodeLinkMessage, type GroupInput, type Heartbeat, type MemberId } from "@keymoot/transport"
import type { MemberCredentialChecker } from "../identity/index.ts"
import type { FrameOpener, FrameRejection } from "./frame-opener.ts"
import type { KnownCredentials } from "./known-credentials.ts"
import type { LinkOutput, OverlayLinks } from "./overlay-links.ts"
import { SerialQueue } from "./serial-queue.ts"

/** Frames of one neighbour that may wait to be verified, and their bytes; a flood beyond is dropped, and repair brings what was honest. */
export const INBOUND_FRAMES_MAX = 8192
export const INBOUND_BYTES_MAX = 32 * 1024 * 1024

export type InboundConfig = {
  readonly known: KnownCredentials
  readonly checker: MemberCredentialChecker
  readonly opener: FrameOpener
  readonly step: (input: GroupInput) => void
  readonly reject: (peer: MemberId, why: FrameRejection) => void
  /** Members that must not be forgotten: those of the present view. */
  readonly needed: () => readonly MemberId[]
  /** Where there may be more members than links; null where there cannot. */
  readonly overlay: () => Pick<OverlayLinks, "admitted" | "dismissed" | "receive"> | null
  readonly fail: (error: unknown) => void
}

type Lane = { readonly queue: SerialQueue; bytes: number }

export class Inbound {
  readonly #config: InboundConfig
  readonly #lanes = new Map<MemberId, Lane>()

  constructor(config: InboundConfig) {
    this.#config = config
  }

  /** Over the overlay, checked, from a member that may be far away. */
  tell(from: MemberId, heartbeat: Heartbeat): void {
    this.#lanes.get(from)?.queue.add(() => this.#config.step({ type: "heartbeat", from, heartbeat }))
  }

  handle(output: Extract<LinkOutput, { type: "linkUp" | "linkDown" | "frame" }>): void {
    const { peer } = output
    const lane = this.#lane(peer)
    switch (output.type) {
      case "frame":
        return this.#receive(peer, lane, output.bytes)
      case "linkDown":
        return lane.queue.add(() => {
          this.#config.step({ type: "linkDown", peer })
          this.#config.overlay()?.dismissed(peer)
          // Nothing follows, so nothing can overtake.
          if (lane.queue.length === 1) this.#lanes.delete(peer)
        })
      case "linkUp":
        return lane.queue.add(async () => {
          const { checker, known, step, needed } = this.#config
          const credential = await checker.check(output.credential.certificate)
          if (!credential) return
          // Touched, so that any number of strangers who come and go push none of these out.
          for (const member of needed()) known.get(member)
          known.set(credential.member, credential)
          step({ type: "linkUp", peer, incarnation: output.incarnation, distant: output.distant === true })
          this.#config.overlay()?.admitted(peer)
        })
    }
  }

  #lane(peer: MemberId): Lane {
    const lane = this.#lanes.get(peer) ?? { queue: new SerialQueue(this.#config.fail), bytes: 0 }
    this.#lanes.set(peer, lane)
    return lane
  }

  #receive(peer: MemberId, lane: Lane, bytes: Uint8Array): void {
    if (lane.queue.length >= INBOUND_FRAMES_MAX || lane.bytes + bytes.length > INBOUND_BYTES_MAX) return
    lane.bytes += bytes.length
    lane.queue.add(async () => {
      lane.bytes -= bytes.length
      const { step, reject, opener, known } = this.#config
      known.get(peer)
      const message = decodeLinkMessage(bytes)
      if (!message) return reject(peer, "malformed")
      // Whoever stands between the links and this has taken those.
      if (message.type === "beside") return
      if (message.type === "overlay") {
        const why = await this.#config.overlay()?.receive(peer, message.bytes, opener)
        return why ? reject(peer, why) : undefined
      }
      if (message.type !== "frame") return step({ ...message, from: peer })
      const opened = await opener.open(message.bytes)
      if (opened === "too-late") return
      if (typeof opened === "string") return reject(peer, opened)
      step({ type: "frame", from: peer, ...opened })
    })
  }
}
