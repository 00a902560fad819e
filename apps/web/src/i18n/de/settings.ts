import type { Texts } from "../en/index.ts"

export const settings: Texts["settings"] = {
  title: "Einstellungen",
  theme: "Farben",
  themes: { system: "Wie das System", light: "Hell", dark: "Dunkel" },
  language: "Sprache",
  byBrowser: "Wie der Browser",
  notifications: "Neue Nachrichten melden",
  notificationsHint: "Nur solange diese Seite nicht zu sehen ist, und ohne Inhalt.",
  notificationsRefused: "Der Browser erlaubt keine Meldungen. Ändern Sie das in den Einstellungen der Seite.",
  sounds: "Bei neuen Nachrichten kurz klingen",
  soundsHint: "Nur solange Sie den Chat nicht vor sich haben.",
  newMessage: "Neue Nachricht in der Konferenz",
}

export const identity: Texts["identity"] = {
  title: "Meine Identität",
  inUse: "Verlassen Sie die Konferenz, um Ihre Identität zu ändern.",
  none: "Noch keine. Eine entsteht, wenn Sie eine Konferenz beginnen oder beitreten, oder hier unten.",
  key: "Schlüssel {{digits}}…",
  name: "Name dieser Identität",
  rename: "Umbenennen",
  remove: "Diese Identität entfernen",
  removeHint:
    "{{name}} von diesem Gerät entfernen? Ohne Sicherung ist der Schlüssel für immer verloren, und niemand erkennt Sie mehr daran.",
  keep: "Behalten",
  removeNow: "Entfernen",
  working: "Einen Moment…",
  new: "Neue Identität, auf Wunsch mit Sicherung",
  newHint:
    "Eine Sicherung gibt es nur zusammen mit einer neuen Identität: Danach kann der Schlüssel diesen Browser nicht mehr verlassen. Wer Datei und Passphrase hat, kann Sie sein; bewahren Sie beides gut auf.",
  newName: "Name",
  passphrase: "Passphrase für die Sicherung (leer: keine Sicherung)",
  again: "Passphrase noch einmal",
  short: "Mindestens {{count}} Zeichen: vier Wörter, die niemand errät.",
  different: "Die beiden Passphrasen unterscheiden sich.",
  create: "Diese Identität anlegen",
  saved: "Die Sicherung wurde als Datei gespeichert. Bewahren Sie sie und die Passphrase sicher auf.",
  import: "Identität aus einer Sicherung einlesen",
  file: "Sicherungsdatei",
  itsPassphrase: "Passphrase",
  restore: "Einlesen",
  restored: "Fertig: Sie sind jetzt diese Identität.",
}

export const shortcuts: Texts["shortcuts"] = {
  title: "Tastatur",
  chat: "Nachricht schreiben",
  people: "Personen",
  security: "Sicherheit",
  board: "Zum Whiteboard",
  hand: "Hand heben oder senken",
  help: "Diese Hilfe zeigen",
  ofBoard: "Auf dem Whiteboard zeigt ? dessen eigene Tasten.",
}
