import type { Texts } from "../en/index.ts"

export const lock: Texts["lock"] = {
  name: "Sicherheit",
  joining: "Die anderen werden gesucht…",
  agreeing: "Ein Schlüssel wird vereinbart…",
  waiting: "Warten auf weitere Personen…",
  alone: "Nur Sie sind hier.",
  encrypted_one: "Verschlüsselt. {{count}} Person kann das lesen.",
  encrypted_other: "Verschlüsselt. {{count}} Personen können das lesen.",
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
}

export const banner: Texts["banner"] = {
  serverDown:
    "Server nicht erreichbar. Die Konferenz geht weiter; neu beitreten kann erst wieder jemand, wenn er zurück ist.",
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
  outOfReachHint: "Was Sie tun, bleibt erhalten und wird zusammengeführt.",
  tryNow: "Jetzt versuchen",
  trying: "Wird versucht…",
  hide: "Ausblenden",
  boardUnsent:
    "Nicht gesendet: Das Whiteboard ist zu groß geworden. Andere sehen Ihre letzte Änderung nicht, oder Neue nicht das Whiteboard. Sichern Sie es als Datei und machen Sie in einer neuen Konferenz weiter.",
  merged: "Wieder verbunden mit: {{names}}. Was beide Seiten getan haben, wurde zusammengeführt.",
  joining: "Die anderen werden gesucht…",
  receiving: "Das Whiteboard kommt von {{name}}…",
  receivingProgress: "Wie viel angekommen ist",
  storageFailing:
    "Dieses Gerät konnte keine Kopie der Konferenz behalten. Neues geht verloren, wenn diese Seite schließt, bevor andere es haben. Schaffen Sie Platz.",
  joiningHint: "Was Sie inzwischen tun, bleibt erhalten und wird geteilt.",
}

export const leave: Texts["leave"] = {
  title: "Jetzt verlassen?",
  unsent_one: "{{count}} Nachricht oder Änderung ist noch nicht gesendet. Sie geht verloren, wenn Sie gehen.",
  unsent_other: "{{count}} Nachrichten oder Änderungen sind noch nicht gesendet. Sie gehen verloren, wenn Sie gehen.",
  last: "Sonst ist niemand hier, und Verlassen löscht Whiteboard und Unterhaltung von diesem Gerät. Um später weiterzumachen, schließen Sie stattdessen diese Seite.",
  stay: "Bleiben",
  leave: "Trotzdem verlassen",
}

export const news: Texts["news"] = {
  joined_one: "{{names}} ist beigetreten.",
  joined_other: "{{names}} sind beigetreten.",
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
  hint: "Wer das scannt, kann beitreten. Zeigen Sie es nur denen, die Sie hier haben wollen.",
}
