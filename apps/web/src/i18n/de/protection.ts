import type { Texts } from "../en/index.ts"

export const protection: Texts["protection"] = {
  title: "Was geschützt ist",
  content:
    "Die Menschen in einer Konferenz vereinbaren untereinander einen Schlüssel. Zeichnungen, Nachrichten und Namen werden damit im Browser verschlüsselt. Er ändert sich, sobald jemand kommt oder geht. Nur „Mehrheit“ behält ihn für die Benannten.",
  server:
    "Der Server bringt die Menschen zusammen. Er sieht Internetadressen, die Nummer der Konferenz, wann Nachrichten laufen und wie groß sie sind. Er kann sie weder lesen noch ändern noch unbemerkt jemanden hinzufügen.",
  link: "Wer den Link hat, kann teilnehmen, außer wenn die Konferenz für benannte Personen oder eine Organisation ist oder die Leitung alle einzeln hereinlässt. Geben Sie ihn nur Menschen, die dabei sein sollen, und sehen Sie nach, wer in der Konferenz ist.",
  device:
    "Dieses Gerät behält eine verschlossene Kopie, damit ein Neuladen nichts verliert, bis Sie die Konferenz verlassen. Browser schützen ihren Speicher nicht vor jemandem, der Ihr Gerät entsperren kann.",
  names:
    "Ein Name ist, was jemand eingetippt hat. Um sicher zu sein, wer da ist, vergleichen Sie den Konferenzcode, persönlich oder am Telefon.",
  limits:
    "Wer teilnimmt, kann kopieren, was zu sehen ist. Der Server könnte Ihnen eine veränderte Seite schicken: Nutzen Sie einen Server, dem Sie vertrauen, oder betreiben Sie einen eigenen.",
  close: "Schließen",
}
