import { useEffect, useLayoutEffect, useRef } from "react"

/**
 * Focuses an element after this component has gone together with the focus. The browser would give the focus to the
 * page. It stays where it is if the person has moved it elsewhere meanwhile.
 * @param onlyIfGone not if the page had the focus before. A button that is disabled while it works leaves it to the page.
 */
export function useFocusBack(find: () => HTMLElement | null | undefined, onlyIfGone = false): void {
  const latest = useRef(find)
  useEffect(() => {
    latest.current = find
  })
  const focused = useRef<Element | null>(null)
  // Runs before the elements are taken out of the page.
  useLayoutEffect(() => () => void (focused.current = document.activeElement), [])
  useEffect(
    () => () => {
      if (onlyIfGone && focused.current?.isConnected) return
      if (document.activeElement === document.body) latest.current()?.focus({ preventScroll: true })
    },
    [onlyIfGone],
  )
}
