import type { ConferenceHandle, ConferenceView } from "@keymoot/core"

/** Time after entering in which the first others that this person meets were in the conference before it. */
export const ENTERING_MS = 10_000

/**
 * Tells whether a view shows this person the members that were there before it. A page that enters is alone in its own
 * view at first, for example while it waits for a host. The view with the others then looks as if they had joined.
 * @param created whether this page has just created the conference, so that all others come after it
 */
export function openFirstMeeting(
  handle: Pick<ConferenceHandle, "view" | "on">,
  created: boolean,
  signal: AbortSignal,
): (view: ConferenceView) => boolean {
  let hasMet = created || handle.view.members.length > 1
  let enteredMs = Date.now()
  let waits = false
  handle.on(
    "admission",
    ({ waiting, knocks }) => {
      // A person that asks this host for admission was not inside before it.
      if (knocks.length > 0) hasMet = true
      if (waits && !waiting) enteredMs = Date.now()
      waits = waiting
    },
    { signal },
  )

  return ({ members }) => {
    const isFirst = !hasMet && members.length > 1
    hasMet ||= isFirst
    return isFirst && (waits || Date.now() - enteredMs < ENTERING_MS)
  }
}
