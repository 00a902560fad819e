import type { Texts } from "../en/index.ts"

export const board: Texts["board"] = {
  label: "Whiteboard",
  menu: "Menü des Whiteboards",
  loading: "Das Whiteboard wird geladen…",
  failed: "Das Whiteboard funktioniert nicht mehr.",
  failedHint: "Nichts ist verloren: Was gezeichnet wurde, bleibt erhalten.",
  reload: "Whiteboard neu laden",
  export: "Tafel als Datei sichern",
  import: "Tafel aus einer Datei hinzufügen",
  importing: "Die Datei wird gelesen…",
  imported_one: "{{count}} Ding kam hinzu.",
  imported_other: "{{count}} Dinge kamen hinzu.",
  skipped_one: "{{count}} nicht: Bilder, Links und zu Großes bleiben weg.",
  skipped_other: "{{count}} nicht: Bilder, Links und zu Großes bleiben weg.",
  notABoard: "Das ist keine Tafel. Nehmen Sie eine Datei, die hier oder von Excalidraw gesichert wurde.",
  tooLarge: "Diese Datei ist zu groß.",
  hideNote: "Diesen Hinweis ausblenden",
  follow: "Folgen",
  unfollow: "Nicht mehr folgen",
  following: "Sie sehen den Teil der Tafel, den {{name}} sieht.",
}
