import { change } from "./settings.ts"

export function canNotify(): boolean {
  return "Notification" in globalThis
}

/** Whether the browser allows notifications now: the person may have changed that since. Null: it has none. */
export function notificationPermission(): NotificationPermission | null {
  return canNotify() ? Notification.permission : null
}

/** Must be called in a user gesture: the browser asks the person first. Returns false if it does not allow them. */
export async function turnNotifications(on: boolean): Promise<boolean> {
  const allowed = !on || (await Notification.requestPermission()) === "granted"
  change({ notifications: on && allowed })
  return allowed
}
