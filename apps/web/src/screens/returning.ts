import type { Readable } from "../store.ts"
import type { Screen } from "./screen.ts"

/**
 * Reloads a conference that returns from the browser's back-forward cache, because its engine has dropped all
 * connections. The other screens keep what the person has typed or can still save. So does a conference that is not
 * stored as a whole: its engine closes it, and the next screen offers to save board and chat.
 */
export function reloadOnReturn(screen: Readable<Screen>, page: EventTarget, reload: () => void): void {
  const returned = (event: Event): void => {
    if ((event as PageTransitionEvent).persisted && mayReload(screen.get())) reload()
  }
  // Before the engine, which closes its conferences upon the same event.
  page.addEventListener("pageshow", returned, { capture: true })
}

function mayReload(shown: Screen): boolean {
  if (shown.kind !== "conference") return shown.kind === "working" && shown.what !== "leaving"
  const { storage, handle } = shown.session
  return storage.get() === "kept" || handle.copyOnly
}
