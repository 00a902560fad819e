import type { Texts } from "../../en/index.ts"

export const invite: Texts["invite"] = {
  title: "Personen einladen",
  alone: "Nur Sie sind hier.",
  nobody:
    "Im Moment ist sonst niemand hier. Vielleicht kommen die anderen später, oder die Leitung hat diese Konferenz früher beendet. Fragen Sie die Person, die Sie eingeladen hat.",
  send: "Schicken Sie die Einladung an die Personen, die Sie treffen möchten. Nehmen Sie „Link kopieren“ und nicht die Adresszeile: Mit der Adresse allein kann niemand teilnehmen.",
  begin: "Beginnen Sie zu schreiben und zu zeichnen. Wer später kommt, sieht es auch.",
  beginUnseen: "Beginnen Sie zu zeichnen. Wer später kommt, sieht das Whiteboard, aber nur neue Nachrichten.",
  return:
    "Diese Konferenz dauert bis {{time}}. Sie können diese Seite schließen und über „Meine Konferenzen“ auf der Startseite zurückkommen.",
  show: "Link und QR-Code zeigen",
  copy: "Einladung kopieren",
  copied: "Einladung kopiert",
  label: "Einladungstext",
  calendar: "Kalenderdatei",
  summary: "Keymoot-Konferenz",
  text: "Sie sind zu einer verschlüsselten Konferenz eingeladen. Öffnen Sie diesen Link, um teilzunehmen:",
  textAbout:
    "Sie sind zu einer verschlüsselten Konferenz eingeladen: {{title}}. Öffnen Sie diesen Link, um teilzunehmen:",
  textOpens: "Sie öffnet am {{time}}.",
  textHint: "Kopieren Sie den ganzen Link, mit allem nach dem #-Zeichen.",
  who: {
    link: "Wer diesen Link hat, kann teilnehmen. Geben Sie ihn mit Bedacht weiter.",
    approval: "Personen mit diesem Link warten, bis die Leitung sie hereinlässt.",
    roster: "Nur Personen, die für diese Konferenz benannt wurden, können teilnehmen.",
    ca: "Nur Personen mit einem Zertifikat der Organisation können teilnehmen.",
  },
}
