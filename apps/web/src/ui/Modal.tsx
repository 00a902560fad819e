import { X } from "lucide-react"
import { Dialog } from "radix-ui"
import { type ReactNode, useLayoutEffect, useRef } from "react"

type ModalProps = {
  readonly title: string
  readonly closeLabel: string
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly children: ReactNode
}

export function Modal({ title, closeLabel, open, onOpenChange, children }: ModalProps) {
  const opener = useRef<HTMLElement | null>(null)
  // The portal draws the content after this: a field in it may take the focus before Radix does.
  useLayoutEffect(() => {
    if (open) opener.current = openerOf(document.activeElement)
  }, [open])
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content
          className="modal"
          aria-describedby={undefined}
          // Radix returns the focus to a trigger only, and this has none.
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (isStillMeant(opener.current)) opener.current?.focus()
          }}
        >
          <div className="panel-head">
            <Dialog.Title className="panel-title">{title}</Dialog.Title>
            <Dialog.Close className="icon-button" aria-label={closeLabel}>
              <X aria-hidden />
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** The element that gets the focus back: a menu's items are gone by then, but its button exists. */
function openerOf(focused: Element | null): HTMLElement | null {
  const button = focused?.closest("[role=menu]")?.getAttribute("aria-labelledby")
  const opener = button ? document.getElementById(button) : focused
  return opener instanceof HTMLElement ? opener : null
}

/**
 * Not if the person has already moved on: to another element, or to another tab, which the focus would select again.
 */
function isStillMeant(opener: HTMLElement | null): boolean {
  const isElsewhere = document.activeElement !== document.body
  return !isElsewhere && opener !== null && opener.isConnected && opener.getAttribute("aria-selected") !== "false"
}
