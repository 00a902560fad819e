import type { Texts } from "../../en/index.ts"

export const talk: Texts["talk"] = {
  reply: "Antworten",
  replyingTo: "Antwort an {{name}}",
  noReply: "Nicht auf diese Nachricht antworten",
  quoteMissing: "Die Nachricht, auf die das antwortet, ist nicht auf diesem Gerät.",
  goToQuote: "Antwortet auf {{name}}: {{text}}",
  mention: "Jemanden erwähnen",
  mentionedBy_one: "{{names}} hat Sie erwähnt.",
  mentionedBy_other: "{{names}} haben Sie erwähnt.",
  mentionedByMany: "{{count}} Personen haben Sie erwähnt.",
  newMention: "Jemand hat Sie in der Konferenz erwähnt",
  show: "Zeigen",
  search: "Chat durchsuchen",
  found: "{{at}} von {{all}}",
  nothingFound: "Nichts gefunden",
  older: "Älteres Ergebnis",
  newer: "Neueres Ergebnis",
  closeSearch: "Suche schließen",
}
