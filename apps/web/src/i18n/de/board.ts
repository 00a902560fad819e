import type { Texts } from "../en/index.ts"

export const board: Texts["board"] = {
  label: "Whiteboard",
  menu: "Menü des Whiteboards",
  loading: "Das Whiteboard wird geladen…",
  failed: "Das Whiteboard funktioniert nicht mehr.",
  failedHint: "Nichts ist verloren: Was gezeichnet wurde, bleibt erhalten.",
  reload: "Whiteboard neu laden",
}
