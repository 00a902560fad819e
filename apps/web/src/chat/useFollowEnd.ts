import { type RefObject, useCallback, useEffect, useRef, useState } from "react"

/** Pixels from the end within which the list follows new messages. */
const AT_END_PX = 48

type FollowEnd = {
  /** The scrolling element. */
  readonly list: RefObject<HTMLDivElement>
  /** The growing element in it. */
  readonly content: RefObject<HTMLDivElement>
  readonly following: boolean
  readonly onScroll: () => void
  readonly toEnd: () => void
  readonly stay: () => void
}

/**
 * Keeps the newest message visible until a person scrolls up. It follows when a message arrives, when a picture above
 * has loaded, and when a telephone's keyboard covers half of the list.
 */
export function useFollowEnd(): FollowEnd {
  const list = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const top = useRef(0)
  const [following, setFollowing] = useState(true)

  useEffect(() => {
    if (!following || list.current === null || content.current === null) return
    const observer = new ResizeObserver(() => scrollToEnd(list.current))
    observer.observe(list.current)
    observer.observe(content.current)
    return () => observer.disconnect()
  }, [following])

  function onScroll(): void {
    if (list.current === null) return
    const { scrollHeight, scrollTop, clientHeight } = list.current
    const isAtEnd = scrollHeight - scrollTop - clientHeight < AT_END_PX
    // Farther from the end without a move upwards: the content has grown, and the observer will follow it.
    if (isAtEnd || scrollTop < top.current) setFollowing(isAtEnd)
    top.current = scrollTop
  }

  function toEnd(): void {
    setFollowing(true)
    scrollToEnd(list.current)
  }

  const stay = useCallback(() => setFollowing(false), [])
  return { list, content, following, onScroll, toEnd, stay }
}

function scrollToEnd(element: HTMLElement | null): void {
  if (element) element.scrollTop = element.scrollHeight
}
