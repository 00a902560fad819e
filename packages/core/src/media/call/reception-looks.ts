/** Looks at how the peers of a call are received, and at what they send. */
import type { MemberId } from "@keymoot/transport"
import { frameCounts, networkCounts } from "../connection/reception.ts"
import { isSameMember } from "../keys/media-view.ts"
import { type Peer, receive } from "./call-peer.ts"
import { ForgeryWatch } from "./forgery-watch.ts"
import type { MediaThread } from "./media-thread.ts"

type Look = {
  /** Members that send what no honest member sends. */
  readonly reports: ReturnType<ForgeryWatch["look"]>
  /** Whether a reception differs from the last look. */
  readonly changed: boolean
}

export class ReceptionLooks {
  readonly #thread: Pick<MediaThread, "counts">
  readonly #peers: ReadonlyMap<MemberId, Peer>
  readonly #forgeries = new ForgeryWatch()

  /** @param peers live: those of the call at each look */
  constructor(thread: Pick<MediaThread, "counts">, peers: ReadonlyMap<MemberId, Peer>) {
    this.#thread = thread
    this.#peers = peers
  }

  /** The members agree on a view. */
  onView(): void {
    this.#forgeries.onView()
  }

  /** Call it every two seconds or so, once the one before has ended. */
  async look(): Promise<Look> {
    const tracks = await this.#thread.counts()
    const reports = this.#forgeries.look(tracks, this.#peers, performance.now())
    let changed = false
    // One after another, since each look stops a page of Chromium for some 4 ms.
    for (const entry of this.#peers.values()) {
      if (!entry.connection?.isConnected) continue
      const received = tracks.filter(({ direction, peer }) => direction === "receive" && isSameMember(peer, entry.peer))
      const network = networkCounts(await entry.connection.look().catch(() => []))
      if (receive(entry, { ...network, ...frameCounts(received) })) changed = true
    }
    return { reports, changed }
  }

  /** Looks at narrow lines only. Call it more often. */
  lookAtNarrow(): void {
    for (const { connection } of this.#peers.values())
      if (connection?.isConnected && connection.isNarrow) connection.look().catch(() => undefined)
  }
}
