import type { Texts } from "../en/index.ts"

export const evidence: Texts["evidence"] = {
  section: "Beweis",
  save: "Als Beweis speichern",
  saveHint:
    "Eine Datei mit dem Chat und dem Whiteboard, die später alle ohne diesen Server prüfen können. Sie ist nicht verschlüsselt.",
  ended: {
    copy: "Um es als Beweis zu speichern, öffnen Sie die Kopie auf diesem Gerät.",
    return: "Um es als Beweis zu speichern, kehren Sie zuerst in die Konferenz zurück.",
    deleted:
      "Als Beweis lässt es sich nicht speichern: Die signierten Nachrichten wurden von diesem Gerät gelöscht, als Sie entfernt wurden.",
  },
  savedWithout: {
    pictures: "Ohne die Bilder des Whiteboards gespeichert: Mit ihnen wäre die Datei zu groß.",
    board: "Ohne das Whiteboard gespeichert: Mit ihm wäre die Datei zu groß.",
  },
  omitted: {
    pictures: "Wer diese Datei gespeichert hat, hat die Bilder des Whiteboards wegen ihrer Größe weggelassen.",
    board: "Wer diese Datei gespeichert hat, hat das Whiteboard wegen seiner Größe weggelassen.",
    other: "Wer diese Datei gespeichert hat, hat weggelassen: {{what}}",
  },
  check: "Beweisdatei prüfen",
  title: "Beweisdatei prüfen",
  lead: "Öffnen Sie die Beweisdatei eines Chats. Diese Seite prüft sie auf diesem Gerät und sendet nichts.",
  file: "Beweisdatei",
  drop: "Sie können die Datei auch hier ablegen.",
  checking: "Die Datei wird geprüft…",
  unreadable: "Diese Datei konnte nicht gelesen werden. Wählen Sie sie noch einmal.",
  valid_one: "Gültig: {{count}} Nachricht, von ihrem Verfasser signiert.",
  valid_other: "Gültig: {{count}} Nachrichten, jede von ihrem Verfasser signiert.",
  invalid: "Nicht gültig.",
  faults: {
    size: "Die Datei ist zu groß für eine Beweisdatei.",
    format: "Das ist keine Beweisdatei dieser Version, oder sie wurde abgeschnitten oder verändert.",
    conference: "Die Beschreibung der Konferenz wurde verändert.",
    certificate: "Zertifikat {{number}} wurde verändert, ist ungültig oder gehört niemandem, der hier schreiben darf.",
    message: "Nachricht {{number}} ist nicht das, was ihr Verfasser für diese Konferenz signiert hat.",
    order: "Nachricht {{number}} steht vor einer Nachricht, die ihr Verfasser schon gesehen hatte.",
    exporter: "Die Datei wurde nach dem Speichern verändert, oder jemand außerhalb der Konferenz hat sie gespeichert.",
  },
  admissions: {
    link: "alle mit dem Link",
    approval: "Personen, die die Leitung einzeln hereinließ",
    roster: "nur benannte Personen",
    ca: "nur die Leute einer Organisation",
  },
  savedAt: "Gespeichert",
  people: "Personen",
  peopleHint:
    "Namen sind selbst gewählt. Jede Person findet die ersten Zeichen ihres Schlüssels in den Einstellungen unter „Meine Identität“. Vergleichen Sie sie.",
  creator: "hat die Konferenz begonnen",
  exporter: "hat diese Datei gespeichert",
  messages: "Nachrichten",
  messagesHint:
    "Von den Verfassern signiert. Für die Reihenfolge und die Nummern unter jeder Nachricht bürgt nur die Person, die diese Datei gespeichert hat.",
  place: "Schlüssel {{epoch}}, Gruppe {{view}}, Nummer {{place}}",
  after: "nach {{number}}",
  afterMissing: "nach einer Nachricht, die hier fehlt",
  passedOn: "kam von einem anderen Mitglied",
  outdated: "das Zertifikat des Verfassers war da nicht gültig",
  edited: "Hat eine Nachricht geändert in:",
  deleted: "Hat eine Nachricht gelöscht.",
  other: "Gesendet in „{{channel}}“:",
  more: "Weitere Nachrichten zeigen",
  documents: "Whiteboard und Dokumente",
  documentsHint: "Dafür bürgt nur die Person, die diese Datei gespeichert hat. Sie können ungenau sein.",
  unproved: "Was das nicht beweist",
  unprovedList: {
    complete: "Dass keine Nachricht fehlt. Wer die Datei gespeichert hat, kann welche weglassen.",
    order:
      "Die Reihenfolge von Nachrichten, die gleichzeitig geschrieben wurden, und die Zeiten: Jedes Gerät hat seine eigene Uhr.",
    delivery: "Dass eine Nachricht jemanden erreicht hat.",
    identity: "Wer hinter einem Namen steht. Vergleichen Sie die Zeichen mit der Person.",
    keys: "Dass kein Schlüssel gestohlen wurde, bevor die Datei gespeichert wurde.",
    rest: "Dateien, Anrufe, und wer was auf das Whiteboard gezeichnet hat.",
  },
}
