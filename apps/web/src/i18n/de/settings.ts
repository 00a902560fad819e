import type { Texts } from "../en/index.ts"

export const settings: Texts["settings"] = {
  title: "Einstellungen",
  theme: "Farben",
  themes: { system: "Wie das System", light: "Hell", dark: "Dunkel" },
  language: "Sprache",
  byBrowser: "Wie der Browser",
  notifications: "Nachrichten und Wartende melden",
  notificationsHint: "Nur solange Sie diese Seite nicht sehen. Die Nachricht wird nie gezeigt.",
  notificationsRefused: "Der Browser erlaubt keine Meldungen. Ändern Sie das in den Einstellungen der Seite.",
  notificationsMissing:
    "Dieser Browser lässt die Seite nichts melden. Auf einem iPhone fügen Sie die Seite zuerst zum Home-Bildschirm hinzu.",
  sounds: "Dabei einen kurzen Ton abspielen",
  soundsHint: "Bei Nachrichten nur, solange Sie den Chat nicht sehen.",
  fetchSmallFiles: "Kleine geteilte Dateien von selbst herunterladen",
  fetchSmallFilesHint:
    "Bis {{size}} je Datei, damit Sie sie noch haben, wenn die Person gegangen ist, die sie geteilt hat.",
  newMessage: "Neue Nachricht in der Konferenz",
  newKnock: "Jemand möchte an der Konferenz teilnehmen",
  answered: "Die Leitung hat auf Ihre Anfrage geantwortet",
  offer: {
    question: "Möchten Sie bemerken, dass jemand wartet, während Sie etwas anderes ansehen?",
    sound: "Ton abspielen",
    notification: "Benachrichtigen",
    decline: "Nein, danke",
  },
  bench: "Leistungsmessungen",
  notices: "Lizenzen der enthaltenen Software",
  version: "Version {{version}}",
}

export const identity: Texts["identity"] = {
  title: "Meine Identität",
  inUse: "Verlassen Sie die Konferenz, um Ihre Identität zu ändern.",
  none: "Noch keine. Sie bekommen eine, wenn Sie eine Konferenz beginnen oder daran teilnehmen, oder Sie legen hier unten eine an.",
  key: "Schlüssel {{digits}}…",
  name: "Name dieser Identität",
  rename: "Umbenennen",
  remove: "Diese Identität entfernen",
  removeHint:
    "{{name}} von diesem Gerät entfernen? Ohne Sicherung ist der Schlüssel für immer verloren, und niemand erkennt Sie mehr daran. Auch Chats, Whiteboards und Dateien aus den Konferenzen dieser Identität werden von diesem Gerät gelöscht. Eine Sicherung enthält sie nicht, und vielleicht gibt es keine andere Kopie.",
  removeNow: "Entfernen",
  working: "Einen Moment…",
  full: "Dieses Gerät kann keine weiteren Identitäten aufbewahren. Entfernen Sie eine davon und versuchen Sie es noch einmal.",
  inConference:
    "Diese Identität ist in einer Konferenz, vielleicht in einem anderen Tab. Verlassen Sie zuerst die Konferenz.",
  new: "Neue Identität, auf Wunsch mit Sicherung",
  newHint:
    "Eine Sicherung gibt es nur zusammen mit einer neuen Identität: Später kann der Schlüssel diesen Browser nicht mehr verlassen. Wer Datei und Passphrase hat, kann sich als Sie ausgeben. Bewahren Sie beides sicher auf.",
  newName: "Name",
  passphrase: "Passphrase für die Sicherung (leer: keine Sicherung)",
  again: "Passphrase noch einmal",
  short: "Mindestens {{count}} Zeichen: vier Wörter, die niemand errät.",
  different: "Die beiden Passphrasen unterscheiden sich.",
  create: "Identität anlegen",
  saved: "Die Sicherung wurde als Datei gespeichert. Bewahren Sie sie und die Passphrase sicher auf.",
  import: "Identität aus einer Sicherung importieren",
  file: "Sicherungsdatei",
  itsPassphrase: "Passphrase",
  restore: "Importieren",
  restored: "Fertig. Sie verwenden jetzt diese Identität.",
}

export const shortcuts: Texts["shortcuts"] = {
  title: "Tastatur",
  chat: "Nachricht schreiben",
  people: "Personen",
  security: "Sicherheit",
  board: "Zum Whiteboard",
  hand: "Hand heben oder senken",
  microphone: "Mikrofon an oder aus, im Anruf",
  camera: "Kamera an oder aus, im Anruf",
  talk: "Sprechen, solange Sie sie halten, im Anruf",
  space: "Leertaste",
  diagnostics: "Diagnose",
  help: "Diese Hilfe zeigen",
  ofBoard: "Auf dem Whiteboard zeigt ? dessen eigene Tasten.",
}
