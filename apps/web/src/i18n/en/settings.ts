export const settings = {
  title: "Settings",
  theme: "Theme",
  themes: { system: "As the system", light: "Light", dark: "Dark" },
  language: "Language",
  byBrowser: "As the browser",
  notifications: "Notify me of new messages",
  notificationsHint: "Only while this page is not in view, and without content.",
  notificationsRefused: "The browser does not allow notifications. Change that in the page’s settings.",
  sounds: "Play a short sound with new messages",
  soundsHint: "Only while you do not have the chat before you.",
  newMessage: "New message in the conference",
}

export const identity = {
  title: "My identity",
  inUse: "Leave the conference to change your identity.",
  none: "None yet. One is made when you start or join a conference, or below.",
  key: "Key {{digits}}…",
  name: "Name of this identity",
  rename: "Rename",
  remove: "Remove this identity",
  removeHint:
    "Remove {{name}} from this device? Without a backup its key is lost for good, and nobody will recognize you by it again.",
  keep: "Keep it",
  removeNow: "Remove",
  working: "One moment…",
  new: "New identity, with a backup if you like",
  newHint:
    "A backup can be made only together with a new identity: afterwards its key cannot leave this browser. With the file and the passphrase anybody can be you, so keep both safe.",
  newName: "Name",
  passphrase: "Passphrase for the backup (empty: no backup)",
  again: "Passphrase again",
  short: "At least {{count}} characters: four words that nobody would guess.",
  different: "The two passphrases differ.",
  create: "Make this identity",
  saved: "The backup was saved as a file. Keep it and its passphrase in a safe place.",
  import: "Import an identity from a backup",
  file: "Backup file",
  itsPassphrase: "Passphrase",
  restore: "Import",
  restored: "Done: you are this identity now.",
}

export const shortcuts = {
  title: "Keyboard",
  chat: "Write a message",
  people: "People",
  security: "Security",
  board: "Go to the whiteboard",
  hand: "Raise or lower my hand",
  help: "Show this help",
  ofBoard: "On the whiteboard, ? shows its own keys.",
}
