import { lazy } from "react"

const loadScreen = () => import("./ConferenceScreen.tsx")

export const ConferenceScreen = lazy(loadScreen)

/**
 * While a conference is being made or joined, its screen can be on its way already. Not the whiteboard: it would take
 * the line from what makes the connection.
 */
export function prefetchConference(): void {
  loadScreen().catch(() => undefined) // Reported when it is needed.
}
