import { useFocusBack } from "../ui/useFocusBack.ts"

/**
 * Moves the focus when this component has gone with it: to the preview, to the call, or to the button that opens it.
 * @param first selector of a place before these
 */
export function useFocusInCall(onlyIfGone = false, first?: string): void {
  useFocusBack(() => {
    const places = [...(first === undefined ? [] : [first]), ".modal", "section.call[tabindex]", ".call-open"]
    return places.map((place) => document.querySelector<HTMLElement>(place)).find((element) => element !== null)
  }, onlyIfGone)
}
