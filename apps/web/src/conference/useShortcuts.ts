import { useEffect, useState } from "react"
import type { Session } from "../session/session.ts"
import type { DrawerTab } from "./useDrawerTabs.ts"
import { isInDialog, isText, isWriting, OPTION_WRITES, type Shortcut, shortcutOf } from "./shortcuts.ts"

/** Handles the shortcuts; returns whether the help is shown. */
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
      microphone: () => toggleInCall(session, "microphone"),
      camera: () => toggleInCall(session, "camera"),
      diagnostics: () => session.diagnosticsOpen.set(true),
      help: () => setHelp(true),
    }
    const onKey = (event: KeyboardEvent) => {
      if (isInDialog()) return
      const shortcut = shortcutOf(event, isWriting(event.target), OPTION_WRITES && isText(event.target))
      if (shortcut === null) return
      event.preventDefault()
      event.stopPropagation()
      // A held key must not switch a device on and off.
      if (!event.repeat) doings[shortcut]()
    }
    // Before the whiteboard, which uses some of them itself.
    window.addEventListener("keydown", onKey, { capture: true })
    return () => window.removeEventListener("keydown", onKey, { capture: true })
  }, [session, openDrawer])
  return { help, setHelp }
}

function toggleInCall({ call, view }: Session, toggle: "microphone" | "camera"): void {
  const isViewer = view.get().members.some(({ self, role }) => self && role === "viewer")
  if (call.state.get() === "in" && !isViewer) void call.toggle(toggle)
}

/** The opened part appears a moment later. The cursor goes to the end of the existing text. */
function focusWhenThere(selector: string): void {
  setTimeout(() => {
    const element = document.querySelector<HTMLElement>(selector)
    element?.focus()
    if (element instanceof HTMLTextAreaElement) element.setSelectionRange(element.value.length, element.value.length)
  })
}
