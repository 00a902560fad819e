import type { Texts } from "../en/index.ts"

export const board: Texts["board"] = {
  label: "Whiteboard",
  menu: "Menü des Whiteboards",
  loading: "Das Whiteboard wird geladen…",
  failed: "Das Whiteboard funktioniert nicht mehr.",
  failedHint: "Nichts ist verloren: Was gezeichnet wurde, bleibt erhalten.",
  reload: "Whiteboard neu laden",
  export: "Whiteboard als Datei sichern",
  import: "Whiteboard aus einer Datei hinzufügen",
  pictures: "Bilder einfügen",
  importing: "Die Datei wird gelesen…",
  imported_one: "{{count}} Ding kam hinzu.",
  imported_other: "{{count}} Dinge kamen hinzu.",
  skipped_one: "{{count}} nicht: beschädigte Bilder, Links und zu Großes bleiben weg.",
  skipped_other: "{{count}} nicht: beschädigte Bilder, Links und zu Großes bleiben weg.",
  notABoard: "Das ist kein Whiteboard. Es muss eine Datei sein, die hier oder von Excalidraw gesichert wurde.",
  tooLarge: "Diese Datei ist zu groß.",
  hideNote: "Diesen Hinweis ausblenden",
  follow: "Folgen",
  unfollow: "Nicht mehr folgen",
  following: "Zu sehen ist der Teil des Whiteboards, den {{name}} sieht.",
}

export const pictures: Texts["pictures"] = {
  adding_one: "{{count}} Bild wird vorbereitet…",
  adding_other: "{{count}} Bilder werden vorbereitet…",
  coming_one: "{{count}} Bild ist unterwegs…",
  coming_other: "{{count}} Bilder sind unterwegs…",
  missing_one: "{{count}} Bild lässt sich nicht zeigen: Niemand hier hat es gerade.",
  missing_other: "{{count}} Bilder lassen sich nicht zeigen: Niemand hier hat sie gerade.",
  beyond_one: "{{count}} Bild wird nicht gezeigt: Das Whiteboard hat mehr, als eine Seite fasst.",
  beyond_other: "{{count}} Bilder werden nicht gezeigt: Das Whiteboard hat mehr, als eine Seite fasst.",
  refused: {
    notAPicture: "Das ist kein Bild, das sich auf dem Whiteboard zeigen lässt, oder es ist gezeichnet zu groß.",
    tooLarge:
      "Ein Bild für das Whiteboard entsteht aus einer Datei von höchstens 32 MB. Dieses lässt sich im Chat teilen.",
    tooMany:
      "Für weitere eigene Bilder ist kein Platz: Ein Whiteboard fasst 100, und einige sind für andere aufgehoben.",
    failed: "Das Bild konnte nicht geteilt werden. Ein zweiter Versuch hilft vielleicht.",
  },
}
