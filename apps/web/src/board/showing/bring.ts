import type { ConferenceHandle, Member } from "@keymoot/core"
import { type Readable, store, type Store } from "../../store.ts"

/** The field of the awareness state of the board's document: the number of the last time a host brought everybody. */
const FIELD = "bring"
/** Minimum time between two times that others may turn this person's board; those within it are ignored. */
export const BRING_INTERVAL_MS = 10_000

export type Bringing = {
  /** Asks all others to follow my view of the board. They can stop at any time. For hosts. */
  bringEverybody(): void
  /** The host that brought me here last; null since I stopped. */
  readonly broughtBy: Readable<Member | null>
}

/**
 * Follows a host that brings everybody to its view. The word of any other member is ignored, also one that it gave
 * before it became a host.
 */
export function openBringing(
  handle: ConferenceHandle,
  following: Store<Member["id"] | null>,
  nowMs: () => number,
  signal: AbortSignal,
): Bringing {
  const board = handle.document("board")
  const { awareness } = board
  const broughtBy = store<Member | null>(null)
  /** By client: the last number seen. A newcomer is brought by what comes after it. */
  const seen = new Map<number, number>()
  let lastMs = Number.NEGATIVE_INFINITY
  let mine = 0

  function look(): void {
    const states = awareness.getStates()
    for (const client of seen.keys()) if (!states.has(client)) seen.delete(client)
    for (const [client, state] of states) {
      const number = readNumber((state as Record<string, unknown>)[FIELD])
      const before = seen.get(client)
      seen.set(client, number)
      if (before !== undefined && number > before) take(board.memberOfClient(client))
    }
  }

  function take(member: Member | undefined): void {
    if (member?.role !== "host" || member.self || nowMs() - lastMs < BRING_INTERVAL_MS) return
    lastMs = nowMs()
    broughtBy.set(member)
    following.set(member.id)
  }

  awareness.on("change", look)
  look()
  const unsubscribe = following.subscribe(() => {
    if (following.get() !== broughtBy.get()?.id) broughtBy.set(null)
  })
  signal.addEventListener("abort", () => {
    awareness.off("change", look)
    unsubscribe()
  })
  return {
    broughtBy,
    bringEverybody() {
      // A follower publishes no view.
      following.set(null)
      awareness.setLocalStateField(FIELD, ++mine)
    },
  }
}

function readNumber(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0
}
