import type { ConferenceHandle, Member, SharedDocument } from "@keymoot/core"
import { type Readable, store, type Store } from "../store.ts"

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
  /** Lowers another person's hand, for a host. */
  lowerHand(id: Member["id"]): void
  /** The host that lowered my hand last; null since I raised it again. */
  readonly loweredBy: Readable<Member | null>
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
/** The number of a raised hand: it distinguishes a hand that a host has lowered from one raised after that. */
const RAISED_FIELD = "raised"
/** By member: the raised hand that a host has lowered. */
const LOWERED_FIELD = "lowered"
/** Lowered hands that a host's page names; older ones are forgotten. Each page has obeyed them by then. */
const LOWERED_MAX = 64
const NOTHING: Doing = { typing: false, idle: false, hand: false }

/** @param draft the text of the composer: a change of it is typing, an empty one is not */
export function openPresence(handle: ConferenceHandle, draft: Readable<string>, signal: AbortSignal): Presence {
  const board = handle.document("board")
  const { awareness } = board
  const doing = store<ReadonlyMap<Member["id"], Doing>>(new Map())
  const loweredBy = store<Member | null>(null)
  const mine: Store<Doing> = store(NOTHING)
  // Later than any number from before a reload of this page.
  let raised = Date.now()
  let lowered: readonly (readonly [Member["id"], number])[] = []
  const typing = stopwatch(TYPING_MS, () => change({ typing: false }))
  const idle = stopwatch(IDLE_MS, () => change({ idle: true, typing: false }))

  function change(changed: Partial<Doing>): void {
    const next = { ...mine.get(), ...changed }
    if (isSame(next, mine.get())) return
    mine.set(next)
    awareness.setLocalStateField(FIELD, next)
  }

  function gather(): void {
    const people = peopleIn(board)
    const next = new Map<Member["id"], Doing>()
    for (const { member, state } of people) {
      const read = readDoing(state[FIELD])
      if (read === null) continue
      const by = read.hand ? lowererOf(member.id, raisedIn(state), people) : null
      if (by !== null && member.self) return obey(by)
      const seen = by === null ? read : { ...read, hand: false }
      if (!isSame(seen, NOTHING)) next.set(member.id, seen)
    }
    if (!isSameMap(next, doing.get())) doing.set(next)
  }

  /** Others see my hand as lowered already; my own page lowers it, too. */
  function obey(host: Member): void {
    loweredBy.set(host)
    change({ hand: false })
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
    loweredBy,
    raiseHand(hand) {
      if (hand) {
        loweredBy.set(null)
        awareness.setLocalStateField(RAISED_FIELD, ++raised)
      }
      change({ hand })
    },
    lowerHand(id) {
      const person = peopleIn(board).find(({ member }) => member.id === id)
      if (person === undefined) return
      lowered = [...lowered.filter(([other]) => other !== id), [id, raisedIn(person.state)] as const].slice(
        -LOWERED_MAX,
      )
      awareness.setLocalStateField(LOWERED_FIELD, Object.fromEntries(lowered))
      gather()
    },
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

type Present = { readonly member: Member; readonly state: Readonly<Record<string, unknown>> }

export function peopleIn(board: SharedDocument): readonly Present[] {
  return [...board.awareness.getStates()].flatMap(([clientId, state]) => {
    const member = board.memberOfClient(clientId)
    return member === undefined ? [] : [{ member, state }]
  })
}

function raisedIn(state: Present["state"]): number {
  const raised = state[RAISED_FIELD]
  return typeof raised === "number" && Number.isSafeInteger(raised) ? raised : 0
}

/** The host that has lowered this hand. The word of any other member is ignored. */
function lowererOf(id: Member["id"], raised: number, people: readonly Present[]): Member | null {
  const lowers = ({ member, state }: Present): boolean => {
    const lowered = state[LOWERED_FIELD]
    if (member.role !== "host" || typeof lowered !== "object" || lowered === null || !Object.hasOwn(lowered, id))
      return false
    return (lowered as Record<string, unknown>)[id] === raised
  }
  return people.find(lowers)?.member ?? null
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
