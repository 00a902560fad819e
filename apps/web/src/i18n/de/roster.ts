import type { Texts } from "../en/index.ts"

export const roster: Texts["roster"] = {
  people_one: "{{count}} Person außer Ihnen",
  people_other: "{{count}} Personen außer Ihnen",
  card: "Karte einer Person einfügen",
  hint: "Alle finden ihre eigene Karte auf der Startseite unter „Meine Karte für eine Gästeliste“ und schicken sie Ihnen. Den Link brauchen sie außerdem.",
  missing: "Fügen Sie die Karte mindestens einer weiteren Person ein.",
  invalid: "Diese Karte ist nicht vollständig. Kopieren Sie sie noch einmal, vom ersten bis zum letzten Zeichen.",
  twice: "{{name}} steht schon auf der Liste.",
  renamed:
    "{{other}} steht schon auf der Liste, als {{name}}. Entfernen Sie jenen Eintrag, um die neue Karte zu nehmen.",
  full: "Auf eine Gästeliste passen außer Ihnen {{max}} Personen. Entfernen Sie zuerst jemanden.",
  added: "{{name}} steht auf der Liste.",
  removed: "{{name}} steht nicht mehr auf der Liste.",
  remove: "{{name}} von der Liste entfernen",
  myCard: "Meine Karte für eine Gästeliste",
  myCardHint:
    "An manchen Konferenzen können nur Personen teilnehmen, die auf ihrer Liste stehen. Um Sie auf die Liste zu setzen, braucht die Leitung Ihre Karte: Schicken Sie sie dorthin. Sie sagt mit Ihrem Namen und Ihrem öffentlichen Schlüssel, wer Sie sind, und enthält nichts Geheimes.",
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

export const directory: Texts["directory"] = {
  title: "Mich beim Namen finden lassen",
  hint: "Andere auf diesem Server können Sie dann suchen und ohne Ihre Karte auf eine Gästeliste setzen.",
  listed: "Andere finden Sie als {{name}}.",
  notListed: "Sie stehen nicht im Verzeichnis dieses Servers.",
  elsewhere:
    "Vielleicht steht noch ein anderes Gerät von Ihnen darin oder ein Name von früher. Um sicherzugehen, nehmen Sie sich heraus.",
  publish: "Mich ins Verzeichnis eintragen",
  question:
    "{{server}} und alle, die dort fragen, sehen dann den Namen {{name}} und Ihren öffentlichen Schlüssel. Was Sie in Konferenzen sagen, bleibt so geschützt wie zuvor. Ihren Namen eintragen?",
  yes: "Ja, Namen veröffentlichen",
  no: "Nein",
  withdraw: "Mich aus dem Verzeichnis nehmen",
  retry: "Erneut versuchen",
  find: "Personen im Verzeichnis dieses Servers finden",
  name: "Anfang des Namens",
  search: "Suchen",
  findHint:
    "Nur Personen, die sich selbst eingetragen haben. Jeder kann jeden Namen benutzen: Vergleichen Sie die ersten Zeichen des Schlüssels, oder überprüfen Sie die Person in der Konferenz.",
  nobody: "Niemand mit diesem Namen steht im Verzeichnis.",
  found_one: "{{count}} Person gefunden",
  found_other: "{{count}} Personen gefunden",
  results: "Gefundene Personen",
  more: "Mehr anzeigen",
  add: "{{name}} auf die Gästeliste setzen",
  standings: {
    verified: "Von Ihnen überprüft",
    unverified: "Nicht überprüft · {{digits}}",
    "changed-key": "Nicht der Schlüssel, den Sie zu diesem Namen überprüft haben · {{digits}}",
    unchecked:
      "Nicht überprüft: Die Antwort des Servers ist unvollständig oder falsch. Bitten Sie diese Person um die Karte.",
  },
  show: "Diese Konferenz den Personen auf der Liste anzeigen",
  showHint:
    "Sie finden sie unter „Meine Konferenzen“. Der Server sieht Ihren Namen und dass sie von Ihnen ist. Die Personen sehen Ihren Namen, wenn Sie im Verzeichnis stehen.",
  named: "Konferenzen suchen, die mich nennen",
  namedHint: "Der Server sieht dabei Ihren Namen und Namen, die Sie vorher hatten.",
  notNamed: "Keine Konferenz dieses Servers nennt Sie.",
  namedList: "Konferenzen, die mich nennen",
  by: "Von {{name}}",
  bySomebody: "Von einer Person, die nicht im Verzeichnis steht",
  frame: "{{from}} bis {{to}}",
  unsigned: "Nicht überprüft: Das sagt der Server, und keine Signatur beweist es.",
  askForLink: "Zum Teilnehmen brauchen Sie den Link. Bitten Sie darum.",
  return: "Teilnehmen",
}
