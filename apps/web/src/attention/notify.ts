import { playSound } from "./sound.ts"
import { settings } from "../settings/settings.ts"

/** Minimum time between two notifications of this page: a flood of messages, hands or mentions is one sound. */
export const NOTIFY_INTERVAL_MS = 3000

export type Notify = (text: string, tag: string) => void

/**
 * By sound, and by the system if the page is hidden; each only if the person wants it. Within `NOTIFY_INTERVAL_MS` of
 * the last one it does nothing: the title, the badges and the banners still count everything.
 */
export function openNotify(nowMs: () => number, sound: () => void = playSound): Notify {
  let lastMs = Number.NEGATIVE_INFINITY
  return (text, tag) => {
    if (nowMs() - lastMs < NOTIFY_INTERVAL_MS) return
    lastMs = nowMs()
    if (settings.get().sounds) sound()
    if (!document.hidden || !settings.get().notifications) return
    try {
      // Without `renotify`, one that replaces another is silent. TypeScript's types lack it.
      const notification = new Notification(text, { tag, renotify: true } as NotificationOptions)
      notification.addEventListener("click", () => {
        window.focus()
        notification.close()
      })
    } catch {
      // Chrome on Android allows this only to service workers.
      notifyByWorker(text, tag).catch(() => undefined)
    }
  }
}

/** The worker shows this page when the person presses the notification. Without a worker there is none. */
async function notifyByWorker(text: string, tag: string): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration()
  registration?.active?.postMessage({ notify: text, tag })
}
