import { useEffect } from "react"
import { isInDialog, isWriting } from "../conference/shortcuts.ts"
import type { SessionCall } from "../session/call.ts"

/** Elements on which the space bar does something else: it presses or scrolls them. */
const PRESSABLE = "button, a, summary, [role='button'], [role='menu'], [role='tab'], [tabindex='0']:not(.tiles)"

/** While the space bar is held, the microphone is on. */
export function usePushToTalk(call: SessionCall, enabled: boolean): void {
  useEffect(() => {
    if (!enabled) return
    const isFree = (target: EventTarget | null): boolean =>
      !isInDialog() && !isWriting(target) && !(target instanceof Element && target.closest(PRESSABLE))
    const onDown = (event: KeyboardEvent): void => {
      if (event.code !== "Space" || event.altKey || event.ctrlKey || event.metaKey || !isFree(event.target)) return
      event.preventDefault()
      if (!event.repeat) call.talk(true)
    }
    const onUp = ({ code }: KeyboardEvent): void => {
      if (code === "Space") call.talk(false)
    }
    const stop = (): void => call.talk(false)
    window.addEventListener("keydown", onDown)
    window.addEventListener("keyup", onUp)
    // Another window gets the key that is released there.
    window.addEventListener("blur", stop)
    return () => {
      stop()
      window.removeEventListener("keydown", onDown)
      window.removeEventListener("keyup", onUp)
      window.removeEventListener("blur", stop)
    }
  }, [call, enabled])
}
