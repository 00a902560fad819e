import { KeymootError, type MemberId } from "@keymoot/core"

/**
 * Tells other tabs of this browser that a member has a conference open here. The engine's lock alone takes seconds to
 * refuse a second tab, because a page that is reloading may still hold it. A page that is reloading does not answer.
 */
export type OpenTabs = {
  /** Another tab has it open: known at once, and later if it opens there first. Fulfilled only then. */
  readonly elsewhere: Promise<void>
  /** From now on this tab answers. */
  readonly opened: () => void
  readonly close: () => void
}

export function watchOpenTabs(member: MemberId, conference: string): OpenTabs {
  const channel = new BroadcastChannel(`keymoot open ${member} ${conference}`)
  let isOpen = false
  const elsewhere = new Promise<void>((resolve) => {
    channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (data === "open") resolve()
      else if (data === "is it open?" && isOpen) channel.postMessage("open")
    })
  })
  channel.postMessage("is it open?")
  const close = (): void => {
    globalThis.removeEventListener?.("pagehide", close)
    channel.close()
  }
  globalThis.addEventListener?.("pagehide", close)
  return {
    elsewhere,
    opened: () => {
      isOpen = true
      channel.postMessage("open")
    },
    close,
  }
}

/** @throws KeymootError `already-open` as soon as another tab answers. The caller then closes the engine that enters. */
export function unlessOpenElsewhere<T>(entering: Promise<T>, tabs: OpenTabs | null): Promise<T> {
  if (tabs === null) return entering
  const elsewhere = tabs.elsewhere.then((): never => {
    throw new KeymootError("already-open", "This conference is open in another tab.")
  })
  return Promise.race([entering, elsewhere])
}
