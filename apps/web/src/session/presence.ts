import type { ConferenceHandle, Member } from "@keymoot/core"
import type { Readable, Store } from "../store.ts"
import { store } from "../store.ts"

/**
 * The activity of a person besides drawing. It is sent with the cursor, encrypted like all else, and is never stored.
 */
export type Doing = {
  readonly typing: boolean
  /** Away, as far as the page can detect. */
  readonly idle: boolean
  readonly hand: boolean
}
export type Presence = {
  /** The people here, myself included; somebody who is missing does nothing special. */
  readonly doing: Readable<ReadonlyMap<Member["id"], Doing>>
  raiseHand(up: boolean): void
  /** The person has moved, typed or touched. */
  active(): void
  /** The page was hidden or shown. */
  seen(visible: boolean): void
}

/** How long after the last key press a person counts as typing. */
const TYPING_MS = 4000
/** How long without a movement until a person counts as idle. */
const IDLE_MS = 3 * 60_000
/** The field of the awareness state of the board's document; the cursor has others. */
const FIELD = "doing"
const NOTHING: Doing = { typing: false, idle: false, hand: false }

/** @param draft the text of the composer: a change of it is typing, an empty one is not */
export function openPresence(handle: ConferenceHandle, draft: Readable<string>, signal: AbortSignal): Presence {
  const board = handle.document("board")
  const { awareness } = board
  const doing = store<ReadonlyMap<Member["id"], Doing>>(new Map())
  const mine: Store<Doing> = store(NOTHING)
  const typing = stopwatch(TYPING_MS, () => change({ typing: false }))
  const idle = stopwatch(IDLE_MS, () => change({ idle: true, typing: false }))

  function change(changed: Partial<Doing>): void {
    const next = { ...mine.get(), ...changed }
    if (isSame(next, mine.get())) return
    mine.set(next)
    awareness.setLocalStateField(FIELD, next)
  }

  function gather(): void {
    const next = new Map<Member["id"], Doing>()
    for (const [clientId, state] of awareness.getStates()) {
      const member = board.memberOfClient(clientId)
      const read = readDoing((state as Record<string, unknown>)[FIELD])
      if (member !== undefined && read !== null && !isSame(read, NOTHING)) next.set(member.id, read)
    }
    if (!isSameMap(next, doing.get())) doing.set(next)
  }

  awareness.on("change", gather)
  idle.restart()
  const unsubscribe = draft.subscribe(() => {
    if (draft.get().trim() === "") {
      typing.stop()
      return change({ typing: false })
    }
    typing.restart()
    idle.restart()
    change({ typing: true, idle: false })
  })
  signal.addEventListener("abort", () => {
    awareness.off("change", gather)
    unsubscribe()
    typing.stop()
    idle.stop()
  })
  return {
    doing,
    raiseHand: (hand) => change({ hand }),
    active() {
      idle.restart()
      change({ idle: false })
    },
    seen(visible) {
      if (visible) idle.restart()
      else idle.stop()
      change(visible ? { idle: false } : { idle: true, typing: false })
    },
  }
}

/** A peer's presence, or null if it is invalid. */
export function readDoing(value: unknown): Doing | null {
  if (typeof value !== "object" || value === null) return null
  const { typing, idle, hand } = value as Record<string, unknown>
  return { typing: typing === true, idle: idle === true, hand: hand === true }
}

function isSame(a: Doing, b: Doing): boolean {
  return a.typing === b.typing && a.idle === b.idle && a.hand === b.hand
}

function isSameMap(a: ReadonlyMap<Member["id"], Doing>, b: ReadonlyMap<Member["id"], Doing>): boolean {
  return a.size === b.size && [...a].every(([id, doing]) => isSame(doing, b.get(id) ?? NOTHING))
}

function stopwatch(ms: number, run: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    restart: () => {
      clearTimeout(timer)
      timer = setTimeout(run, ms)
    },
    stop: () => clearTimeout(timer),
  }
}
