import { KeymootError } from "@keymoot/core"
import { lazy } from "react"

const loadScreen = () => import("./ConferenceScreen.tsx")

export const ConferenceScreen = lazy(loadScreen)
/** Loaded with the screen: when the conference is over, the server may be down, too. */
export const RemainsActions = lazy(async () => ({ default: (await loadScreen()).RemainsActions }))

/**
 * Loads the screen while a conference is being created or joined. Not the whiteboard: it would take bandwidth from the
 * connection.
 */
export function prefetchConference(): Promise<unknown> {
  return loadScreen().catch(() => undefined) // Reported when it is needed.
}

/**
 * Must be awaited before the screen is shown, so that a failure becomes a problem with a sentence and no blank page.
 * Returns what opens its session.
 */
export async function conferenceLoaded() {
  try {
    const { openSession } = await loadScreen()
    return { openSession }
  } catch (cause) {
    throw new KeymootError("server-unreachable", "A part of the page could not be loaded. Try again.", { cause })
  }
}
