import type { Texts } from "../en/index.ts"

export const lock: Texts["lock"] = {
  name: "Sicherheit",
  joining: "Die anderen werden gesucht…",
  agreeing: "Ein Schlüssel wird vereinbart…",
  waiting: "Warten auf weitere Personen…",
  alone: "Nur Sie sind hier.",
  encrypted_one: "Verschlüsselt. {{count}} Person kann das lesen.",
  encrypted_other: "Verschlüsselt. {{count}} Personen können das lesen.",
  verified_one: "{{count}} überprüft",
  verified_other: "{{count}} überprüft",
}

export const bar: Texts["bar"] = {
  copyLink: "Link kopieren",
  linkCopied: "Link kopiert",
  copyByHand: "Kopieren Sie diesen Link",
  copyByHandHint: "Der Browser hat das Kopieren nicht erlaubt. Markieren Sie den Link und kopieren Sie ihn selbst.",
  leave: "Verlassen",
  chat: "Chat",
  chatUnread_one: "Chat, {{count}} ungelesene Nachricht",
  chatUnread_other: "Chat, {{count}} ungelesene Nachrichten",
  people: "Personen",
  drawer: "Seitenleiste",
  closeDrawer: "Schließen",
  endsAt: "Ende: {{time}}",
  endedAt: "Beendet: {{time}}",
  closeCopy: "Schließen",
}

export const banner: Texts["banner"] = {
  serverDown:
    "Der Server ist nicht erreichbar. Die Konferenz geht weiter, aber bis er zurück ist, kann niemand neu teilnehmen.",
  offline_one: "Sie sind anscheinend offline: Weder der Server noch {{names}} ist erreichbar.",
  offline_other: "Sie sind anscheinend offline: Weder der Server noch {{names}} sind erreichbar.",
  offlineAll: "Sie sind anscheinend offline: Weder der Server noch die anderen sind erreichbar.",
  outOfReach_one: "{{names}} ist nicht erreichbar.",
  outOfReach_other: "{{names}} sind nicht erreichbar.",
  outOfReachMany_one: "{{count}} Person ist nicht erreichbar.",
  outOfReachMany_other: "{{count}} Personen sind nicht erreichbar.",
  hereAlone: "Sie sind allein hier.",
  here_one: "Hier sind Sie und {{count}} andere Person.",
  here_other: "Hier sind Sie und {{count}} andere.",
  outOfReachHint: "Ihre Änderungen bleiben erhalten und werden zusammengeführt.",
  ending: "Diese Konferenz endet in weniger als {{count}} Minuten ({{time}}). Ihr Inhalt bleibt auf diesem Gerät.",
  copy: "Diese Konferenz ist vorbei. Sie sehen die Kopie auf diesem Gerät, und was Sie hier tun, sieht sonst niemand.",
  copyMeanwhile:
    "Der Server war nicht erreichbar. Sie sehen die Kopie auf diesem Gerät, und was Sie hier tun, sieht sonst niemand.",
  forgetCopy: "Vergessen",
  tryNow: "Jetzt versuchen",
  trying: "Wird versucht…",
  hide: "Ausblenden",
  boardUnsent:
    "Nicht gesendet: Das Whiteboard ist zu groß geworden. Andere sehen vielleicht Ihre letzte Änderung nicht, oder wer später kommt, sieht das Whiteboard nicht. Speichern Sie es als Datei und machen Sie in einer neuen Konferenz weiter.",
  boardUnshared_one:
    "Nicht geteilt: {{count}} Element auf dem Whiteboard ist zu groß. Andere sehen es nicht so wie Sie. Ihre Änderungen daran gehen beim Neuladen verloren. Verkleinern oder löschen Sie es.",
  boardUnshared_other:
    "Nicht geteilt: {{count}} Elemente auf dem Whiteboard sind zu groß. Andere sehen sie nicht so wie Sie. Ihre Änderungen daran gehen beim Neuladen verloren. Verkleinern oder löschen Sie sie.",
  merged: "Wieder verbunden mit: {{names}}. Die Änderungen beider Seiten wurden zusammengeführt.",
  joining: "Die anderen werden gesucht…",
  receiving: "Das Whiteboard kommt von {{name}}…",
  receivingProgress: "Fortschritt",
  storageFailing:
    "Dieses Gerät konnte keine Kopie der Konferenz speichern. Neues geht verloren, wenn Sie diese Seite schließen, bevor andere es haben. Schaffen Sie Platz.",
  joiningHint: "Ihre Änderungen bleiben erhalten und werden geteilt.",
}

export const leave: Texts["leave"] = {
  title: "Jetzt verlassen?",
  unsent_one: "{{count}} Nachricht oder Änderung ist noch nicht gesendet. Sie geht verloren, wenn Sie gehen.",
  unsent_other: "{{count}} Nachrichten oder Änderungen sind noch nicht gesendet. Sie gehen verloren, wenn Sie gehen.",
  files_one:
    "{{count}} große Datei, die Sie geteilt haben, haben vielleicht noch nicht alle heruntergeladen. Von Ihnen bekommt sie niemand mehr, wenn Sie gegangen sind.",
  files_other:
    "{{count}} große Dateien, die Sie geteilt haben, haben vielleicht noch nicht alle heruntergeladen. Von Ihnen bekommt sie niemand mehr, wenn Sie gegangen sind.",
  last: "Sonst ist niemand hier. Verlassen löscht Whiteboard und Chat von diesem Gerät. Um später weiterzumachen, schließen Sie stattdessen diese Seite.",
  copy: "Verlassen löscht Whiteboard und Chat von diesem Gerät. Um später weiterzumachen, schließen Sie stattdessen diese Seite.",
  onlyHost:
    "Nur Sie haben die Leitung. Wenn Sie gehen, kann niemand mehr andere hereinlassen. Geben Sie vorher jemand anderem die Leitung.",
  stay: "Bleiben",
  leave: "Trotzdem verlassen",
}

export const news: Texts["news"] = {
  joined_one: "{{names}} nimmt jetzt teil.",
  joined_other: "{{names}} nehmen jetzt teil.",
  returned_one: "{{names}} ist wieder da.",
  returned_other: "{{names}} sind wieder da.",
  left_one: "{{names}} ist gegangen.",
  lost: "Die Verbindung zu {{names}} ist abgebrochen.",
  removed: "Die Leitung hat {{names}} entfernt.",
  left_other: "{{names}} sind gegangen.",
}

export const invitation: Texts["invitation"] = {
  show: "QR-Code zeigen",
  title: "Einladung",
  qr: "Der Einladungslink als QR-Code",
}

export const ending: Texts["ending"] = {
  change: "{{said}}. Das Ende ändern",
  latest: "Diese Konferenz kann bis {{time}} dauern.",
  longer_one: "{{count}} Minute länger",
  longer_other: "{{count}} Minuten länger",
  hours_one: "{{count}} Stunde länger",
  hours_other: "{{count}} Stunden länger",
  early: "Von der Leitung beendet",
  now: "Für alle beenden",
  title: "Diese Konferenz für alle beenden?",
  hint: "Alle verlassen sie sofort. Whiteboard und Chat bleiben auf dem Gerät jeder Person, zum Speichern oder Vergessen.",
  late: "Die anderen fragen, ob es weitergeht",
  asking: "Die anderen werden gefragt, ob diese Konferenz weitergeht…",
}
