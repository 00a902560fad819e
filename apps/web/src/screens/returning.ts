import type { Readable } from "../store.ts"
import type { Screen } from "./screen.ts"

/**
 * Reloads a conference that returns from the browser's back-forward cache, because its engine has dropped all
 * connections. The other screens keep what the person has typed or can still save.
 */
export function reloadOnReturn(screen: Readable<Screen>, page: EventTarget, reload: () => void): void {
  const returned = (event: Event): void => {
    const shown = screen.get()
    const isInside = shown.kind === "conference" || (shown.kind === "working" && shown.what !== "leaving")
    if ((event as PageTransitionEvent).persisted && isInside) reload()
  }
  // Before the engine, which closes its conferences upon the same event.
  page.addEventListener("pageshow", returned, { capture: true })
}
