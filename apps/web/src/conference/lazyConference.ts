import { KeymootError } from "@keymoot/core"
import { lazy } from "react"

const loadScreen = () => import("./ConferenceScreen.tsx")

export const ConferenceScreen = lazy(loadScreen)
/** It has come with the screen: when the conference is over, the server may be, too. */
export const RemainsActions = lazy(async () => ({ default: (await loadScreen()).RemainsActions }))

/**
 * While a conference is being made or joined, its screen can be on its way already. Not the whiteboard: it would take
 * the line from what makes the connection.
 */
export function prefetchConference(): void {
  loadScreen().catch(() => undefined) // Reported when it is needed.
}

/** To be awaited before the screen is shown, so that one that cannot be had is a problem with a sentence and no blank page. */
export async function conferenceLoaded(): Promise<void> {
  try {
    await loadScreen()
  } catch (cause) {
    throw new KeymootError("server-unreachable", "A part of the page could not be loaded. Try again.", { cause })
  }
}
