import { type RefObject, useEffect, useLayoutEffect, useRef } from "react"

/**
 * Focuses an element after this component has gone together with the focus. The browser would give the focus to the
 * page. It stays where it is if the person has moved it elsewhere meanwhile. After a click no button gets it, because
 * the space bar would press that button: it would not talk any more.
 * @param onlyIfGone not if the page had the focus before. A button that is disabled while it works leaves it to the page.
 */
export function useFocusBack(find: () => HTMLElement | null | undefined, onlyIfGone = false): void {
  const latest = useRef(find)
  useEffect(() => {
    latest.current = find
  })
  const byClick = useByClick()
  const focused = useRef<Element | null>(null)
  // Runs before the elements are taken out of the page.
  useLayoutEffect(() => () => void (focused.current = document.activeElement), [])
  useEffect(
    () => () => {
      if (onlyIfGone && focused.current?.isConnected) return
      if (document.activeElement !== document.body) return
      const element = latest.current()
      if (!byClick.current || !element?.matches("button")) element?.focus({ preventScroll: true })
    },
    [onlyIfGone, byClick],
  )
}

/** Whether the person used a mouse, pen or finger last. The space bar says nothing: it presses buttons and talks. */
export function useByClick(): RefObject<boolean> {
  const byClick = useRef(false)
  useEffect(() => {
    const listening = new AbortController()
    const options = { capture: true, signal: listening.signal }
    // Browsers count the clicks of a pointer. A click by keyboard or screen reader has the number 0.
    document.addEventListener("click", ({ detail }) => (byClick.current = detail > 0), options)
    document.addEventListener("keydown", ({ code }) => (byClick.current &&= code === "Space"), options)
    return () => listening.abort()
  }, [])
  return byClick
}
