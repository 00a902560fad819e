import { useFocusBack } from "../ui/useFocusBack.ts"

/**
 * Moves the focus when this component has gone with it: to the preview, to the call, or to the button that opens it.
 * @param first selector of a place before these
 */
export function useFocusInCall(onlyIfGone = false, first?: string): void {
  useFocusBack(() => {
    const places = [...(first === undefined ? [] : [first]), ".modal", "section.call[tabindex]", ".call-open"]
    return places.map((place) => document.querySelector<HTMLElement>(place)).find((element) => canTakeFocus(element))
  }, onlyIfGone)
}

/** The tiles are not displayed beside an open panel on a phone. */
function canTakeFocus(element: HTMLElement | null): element is HTMLElement {
  return element !== null && getComputedStyle(element.closest(".tiles") ?? element).display !== "none"
}
