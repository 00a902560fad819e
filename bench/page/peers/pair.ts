/** Two ends of a connection, both in this page. */
import { Measured } from "../../src/peers/page/measure.ts"
import type { Contestant } from "../../src/peers/page/contestant.ts"
import { rawChannel, simplePeer } from "../../src/peers/page/data-channels.ts"
import { overChannel } from "../../src/peers/page/keymoot.ts"
import { relayWithin } from "../../src/peers/page/relay.ts"
import { TabRoom } from "../tab/room.ts"

/** The end that measures, and what ends both. */
export type Pair = { readonly measured: Measured; readonly close: () => Promise<void> }

/** `look` is called while it waits; it may throw. */
type Meet = (look: () => void) => Promise<Pair>

const overRelay =
  (connect: typeof rawChannel): Meet =>
  async () => {
    const relay = relayWithin()
    const roles = ["first", "second"] as const
    const ends = await Promise.all(roles.map((role) => connect({ role, openRelay: async () => relay })))
    return pairOf(ends, async () => ends.forEach(({ close }) => close()))
  }

const inConference =
  (service: "fifo" | "agreed"): Meet =>
  async (look) => {
    const room = new TabRoom("tgdh", 2, look)
    try {
      await room.fill(2)
    } catch (error) {
      await room.close()
      throw error
    }
    const ends = room.members.map(({ conference }) => overChannel(conference, service))
    return pairOf(ends, () => room.close())
  }

function pairOf(ends: readonly Contestant[], close: Pair["close"]): Pair {
  const [measured] = ends.map((end) => new Measured(end))
  return { measured: measured!, close }
}

/** Those of the runner that can be two in one page. */
export const MEET = {
  rawChannel: overRelay(rawChannel),
  simplePeer: overRelay(simplePeer),
  keymootFifo: inConference("fifo"),
  keymootAgreed: inConference("agreed"),
} as const satisfies Readonly<Record<string, Meet>>
