/** What eight engines hold while their people draw, without pause and faster than people can. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { figureOf, type Figure } from "./figure.ts"
import { InMemoryRoom } from "./order/room.ts"

/** Of one drawing member: changes of the board, and states of its pointer, a second. */
const [CHANGES, POINTERS] = [5, 10]
const [CHANGE_BYTES, POINTER_BYTES] = [120, 60]
const WARM_UP_TURNS = 50
/** One look at the heap for each part; the first ones fill what has a bound. */
const PARTS = 12

export async function* memory(members: number, minutes: number): AsyncGenerator<Figure> {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  const room = await InMemoryRoom.of(members)
  const sizes: number[] = []
  try {
    // What fills once and is no growth: caches, windows, tables of names.
    await draw(room, WARM_UP_TURNS)
    for (let part = 1; part <= PARTS; part++) {
      await draw(room, Math.round((minutes * 60 * CHANGES) / PARTS))
      collect()
      sizes.push(process.memoryUsage().heapUsed / 2 ** 20 / members)
      const after = `after ${Math.round((part * minutes * 100) / PARTS) / 100} minutes`
      yield figureOf(
        { experiment: "memory", n: members, event: after, metric: "heap of the process for each member", unit: "MB" },
        [sizes.at(-1)!],
      )
    }
    const grown = sizes.at(-1)! - sizes[Math.floor(PARTS / 4) - 1]!
    yield figureOf({ experiment: "memory", n: members, metric: "growth after the first quarter", unit: "MB" }, [grown])
  } finally {
    room.close()
  }
}

/** Each turn is the fifth of a second of everybody's drawing, and ends when all own changes are delivered. */
async function draw(room: InMemoryRoom, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    await Promise.all(
      room.members.map((member) => {
        for (let i = 0; i < POINTERS / CHANGES; i++) void member.send(new Uint8Array(POINTER_BYTES), "unreliable")
        return member.send(new Uint8Array(CHANGE_BYTES).fill(turn), "fifo")
      }),
    )
  }
}
