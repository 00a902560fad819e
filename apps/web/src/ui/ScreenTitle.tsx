import { type ReactNode, useEffect, useRef } from "react"

type ScreenTitleProps = { readonly className?: string; readonly children: ReactNode }

/**
 * The heading of a screen. It takes the focus that was lost with the former screen's controls. Otherwise a screen
 * reader says nothing of the new screen, and the next Tab starts in the browser's own controls.
 */
export function ScreenTitle({ className = "title", children }: ScreenTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const { activeElement } = document
    if (activeElement === null || activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <h1 ref={heading} className={className} tabIndex={-1}>
      {children}
    </h1>
  )
}
