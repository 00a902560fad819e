import { useEffect, useState } from "react"
import type { Session } from "../session/session.ts"
import type { DrawerTab } from "./Drawer.tsx"
import { isWriting, shortcutOf } from "./shortcuts.ts"
import type { Shortcut } from "./shortcuts.ts"

/** Follows the keyboard; returns whether the help is to be shown. */
export function useShortcuts(session: Session, openDrawer: (tab: DrawerTab) => void) {
  const [help, setHelp] = useState(false)
  useEffect(() => {
    const doings: Record<Shortcut, () => void> = {
      chat: () => {
        openDrawer("chat")
        focusWhenThere(".composer textarea")
      },
      people: () => {
        openDrawer("people")
        focusWhenThere('.tab[data-state="active"]')
      },
      security: () => session.securityOpen.set(!session.securityOpen.get()),
      board: () => focusWhenThere(".board .excalidraw"),
      hand: () => {
        const { presence, handle } = session
        presence.raiseHand(!presence.doing.get().get(handle.self.id)?.hand)
      },
      help: () => setHelp(true),
    }
    const onKey = (event: KeyboardEvent) => {
      // A dialog has the keyboard for itself.
      if (
        document.querySelector('[role="dialog"][data-state="open"]:not(.popover), [role="alertdialog"], [role="menu"]')
      )
        return
      const shortcut = shortcutOf(event, isWriting(event.target))
      if (shortcut === null) return
      event.preventDefault()
      event.stopPropagation()
      doings[shortcut]()
    }
    // Before the whiteboard, which takes some of them for its own.
    window.addEventListener("keydown", onKey, { capture: true })
    return () => window.removeEventListener("keydown", onKey, { capture: true })
  }, [session, openDrawer])
  return { help, setHelp }
}

/** What was just called shows itself a moment later. Writing goes on where what is there ends. */
function focusWhenThere(selector: string): void {
  setTimeout(() => {
    const element = document.querySelector<HTMLElement>(selector)
    element?.focus()
    if (element instanceof HTMLTextAreaElement) element.setSelectionRange(element.value.length, element.value.length)
  })
}
