import type { Texts } from "../en/index.ts"

export const roster: Texts["roster"] = {
  people_one: "{{count}} Person außer Ihnen",
  people_other: "{{count}} Personen außer Ihnen",
  card: "Karte einer Person einfügen",
  hint: "Alle finden ihre eigene Karte auf der Startseite unter „Meine Karte für eine Gästeliste“ und schicken sie Ihnen. Den Link brauchen sie außerdem.",
  missing: "Fügen Sie die Karte mindestens einer weiteren Person ein.",
  invalid: "Das ist keine vollständige Karte. Kopieren Sie sie noch einmal, vom ersten bis zum letzten Zeichen.",
  twice: "{{name}} steht schon auf der Liste.",
  added: "{{name}} steht auf der Liste.",
  removed: "{{name}} steht nicht mehr auf der Liste.",
  remove: "{{name}} von der Liste nehmen",
  myCard: "Meine Karte für eine Gästeliste",
  myCardHint:
    "Manche Konferenzen lassen nur Personen herein, die auf ihrer Liste stehen. Wer eine solche beginnt, braucht dafür Ihre Karte: Schicken Sie sie dorthin. Sie sagt mit Ihrem Namen und Ihrem öffentlichen Schlüssel, wer Sie sind, und enthält nichts Geheimes.",
  copy: "Meine Karte kopieren",
  copied: "Karte kopiert",
  copyFailed:
    "Ihre Karte ließ sich nicht machen. Erlauben Sie dieser Seite, Daten zu speichern, und versuchen Sie es noch einmal.",
  cardOf: "Karte von {{name}}",
  waiting_one:
    "Noch eine der benannten Personen muss kommen, bevor es einen Schlüssel geben kann. Was Sie inzwischen tun, bleibt erhalten.",
  waiting_other:
    "Noch {{count}} der benannten Personen müssen kommen, bevor es einen Schlüssel geben kann. Was Sie inzwischen tun, bleibt erhalten.",
  absent_one: "Benannt und nicht hier: {{names}}.",
  absent_other: "Benannt und nicht hier: {{names}}.",
  everybodyHere: "Alle, die hinein dürfen, sind hier.",
  majority:
    "Auch benannte Personen, die nicht da sind, können den Schlüssel kennen: Er ändert sich nicht, wenn jemand kommt oder geht.",
}
