import type { Texts } from "../en/index.ts"

export const roster: Texts["roster"] = {
  people_one: "{{count}} Person außer Ihnen",
  people_other: "{{count}} Personen außer Ihnen",
  card: "Karte einer Person einfügen",
  hint: "Alle finden ihre eigene Karte auf der Startseite unter „Meine Karte für eine Gästeliste“ und schicken sie Ihnen. Den Link brauchen sie außerdem.",
  missing: "Fügen Sie die Karte mindestens einer weiteren Person ein.",
  invalid: "Diese Karte ist nicht vollständig. Kopieren Sie sie noch einmal, vom ersten bis zum letzten Zeichen.",
  twice: "{{name}} steht schon auf der Liste.",
  added: "{{name}} steht auf der Liste.",
  removed: "{{name}} steht nicht mehr auf der Liste.",
  remove: "{{name}} von der Liste entfernen",
  myCard: "Meine Karte für eine Gästeliste",
  myCardHint:
    "Manche Konferenzen lassen nur Personen herein, die auf ihrer Liste stehen. Um Sie auf die Liste zu setzen, braucht die Leitung Ihre Karte: Schicken Sie sie dorthin. Sie sagt mit Ihrem Namen und Ihrem öffentlichen Schlüssel, wer Sie sind, und enthält nichts Geheimes.",
  copy: "Meine Karte kopieren",
  copied: "Karte kopiert",
  copyFailed:
    "Ihre Karte ließ sich nicht machen. Erlauben Sie dieser Seite, Daten zu speichern, und versuchen Sie es noch einmal.",
  cardOf: "Karte von {{name}}",
  waiting_one:
    "Noch eine Person von der Liste muss kommen, bevor die Konferenz anfangen kann. Ihre Änderungen bleiben erhalten.",
  waiting_other:
    "Noch {{count}} Personen von der Liste müssen kommen, bevor die Konferenz anfangen kann. Ihre Änderungen bleiben erhalten.",
  absent_one: "Auf der Liste, aber nicht hier: {{names}}.",
  absent_other: "Auf der Liste, aber nicht hier: {{names}}.",
  everybodyHere: "Alle auf der Liste sind hier.",
  majority:
    "Auch Personen auf der Liste, die nicht da sind, können den Schlüssel kennen. Er ändert sich nicht, wenn jemand kommt oder geht.",
}
