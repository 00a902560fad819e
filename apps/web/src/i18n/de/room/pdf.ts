import type { Texts } from "../../en/index.ts"

export const pdf: Texts["pdf"] = {
  insert: "Seiten einer PDF-Datei einfügen",
  drawing: "Die Seiten werden auf diesem Gerät gezeichnet…",
  done_one: "{{count}} Seite wurde hinzugefügt.",
  done_other: "{{count}} Seiten wurden hinzugefügt.",
  leftOut_one: "{{count}} Seite fehlt. Teilen Sie die Datei im Chat, um sie ganz weiterzugeben.",
  leftOut_other: "{{count}} Seiten fehlen. Teilen Sie die Datei im Chat, um sie ganz weiterzugeben.",
  save: "Als PDF speichern",
  saving: "Das PDF wird auf diesem Gerät geschrieben …",
  saved_one: "Gespeichert: {{count}} Seite.",
  saved_other: "Gespeichert: {{count}} Seiten, eine für jeden Rahmen.",
  notAllSaved_one: "{{count}} Rahmen wurde ausgelassen.",
  notAllSaved_other: "{{count}} Rahmen wurden ausgelassen.",
  emptyBoard: "Das Whiteboard ist leer.",
  notSaved: "Das PDF konnte nicht geschrieben werden. Speichern Sie das Whiteboard stattdessen als Bild.",
  tooLarge: "Diese PDF-Datei ist zu groß. Teilen Sie sie stattdessen im Chat.",
  notAPdf:
    "Diese Datei lässt sich nicht als PDF lesen. Vielleicht ist sie beschädigt oder mit einem Passwort geschützt.",
}
