import type { Texts } from "../../en/index.ts"

export const pdf: Texts["pdf"] = {
  insert: "Seiten einer PDF-Datei einfügen",
  drawing: "Die Seiten werden auf diesem Gerät gezeichnet…",
  done_one: "{{count}} Seite wurde hinzugefügt.",
  done_other: "{{count}} Seiten wurden hinzugefügt.",
  leftOut_one: "{{count}} Seite fehlt. Teilen Sie die Datei im Chat, um sie ganz weiterzugeben.",
  leftOut_other: "{{count}} Seiten fehlen. Teilen Sie die Datei im Chat, um sie ganz weiterzugeben.",
  tooLarge: "Diese PDF-Datei ist zu groß. Teilen Sie sie stattdessen im Chat.",
  notAPdf:
    "Diese Datei lässt sich nicht als PDF lesen. Vielleicht ist sie beschädigt oder mit einem Passwort geschützt.",
}
