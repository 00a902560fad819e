import { useEffect, useLayoutEffect, useRef } from "react"

/**
 * Focuses an element after this component has gone together with the focus. The browser would give the focus to the
 * page. It stays where it is if the person has moved it elsewhere meanwhile.
 */
export function useFocusBack(find: () => HTMLElement | null | undefined): void {
  const latest = useRef(find)
  useEffect(() => {
    latest.current = find
  })
  const focused = useRef<Element | null>(null)
  // Runs before the elements are taken out of the page.
  useLayoutEffect(() => () => void (focused.current = document.activeElement), [])
  useEffect(
    () => () => {
      const isGone = focused.current !== null && !focused.current.isConnected
      if (isGone && document.activeElement === document.body) latest.current()?.focus({ preventScroll: true })
    },
    [],
  )
}
