/** Limits of ICE restarts in one call, by member. Each one costs a gathering, with an allocation at the TURN server. */
import type { MemberId } from "@keymoot/transport"
import { CostMeter } from "../../queues/cost-meter.ts"

/** Time for one more restart. A bad network needs restarts during the whole call, so the limit is a rate. */
export const MEDIA_RESTARTS_APART_MS = 2000
/** Restarts of a peer at once, over all its connections. Beyond it the connection fails, and the peer is reported. */
export const MEDIA_RESTARTS_BURST = 16
/** Own ones at once. Further ones are left out. Fewer than the peer takes, so that delays make nobody a flooder. */
export const OWN_MEDIA_RESTARTS_BURST = 8

const perSecond = 1000 / MEDIA_RESTARTS_APART_MS

export class IceRestarts {
  readonly #meters = {
    own: new CostMeter<MemberId>({ perSecond, burst: OWN_MEDIA_RESTARTS_BURST }),
    peer: new CostMeter<MemberId>({ perSecond, burst: MEDIA_RESTARTS_BURST }),
  }

  /** Counts a restart of a connection to this member, and returns whether it is within its limit. */
  take(by: "own" | "peer", member: MemberId, nowMs: number): boolean {
    const meter = this.#meters[by]
    meter.tick(nowMs)
    const isWithin = !meter.isOver(member)
    if (isWithin) meter.spend(member, 1)
    return isWithin
  }
}
