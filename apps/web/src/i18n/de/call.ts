import type { Texts } from "../en/index.ts"

export const call: Texts["call"] = {
  name: "Anruf",
  open: "Anruf",
  openOthers_one: "Anruf, {{count}} Person ist dabei",
  openOthers_other: "Anruf, {{count}} Personen sind dabei",
  begun: "{{name}} ist in einem Anruf.",
  title: "Am Anruf teilnehmen",
  tiles: "Personen im Anruf",
  unavailable:
    "Dieser Browser kann nicht anrufen. Chat und Whiteboard gehen. Nehmen Sie für Anrufe einen aktuellen Chrome, Edge oder Firefox.",
  stage: "Vergrößert",
  preview: "Ihre Kamera",
  previewOff: "Ihre Kamera ist aus.",
  muted: "Mikrofon und Kamera sind zu Beginn aus.",
  recording: "Andere im Anruf können ihn aufnehmen. Diese Seite kann das nicht verhindern.",
  unlinked:
    "Zu einigen Personen hier haben Sie keine direkte Verbindung. In einem Anruf hören und sehen Sie einander nicht.",
  addressHidden:
    "Sie verbergen Ihre Internetadresse, und dieser Server hat keine Zwischenstation für Anrufe. Sie und die anderen können einander nicht hören oder sehen. Für Anrufe nehmen Sie noch einmal teil, ohne sie zu verbergen.",
  join: "Teilnehmen",
  entering: "Sie nehmen gleich teil …",
  leave: "Anruf verlassen",
  microphone: "Mikrofon",
  camera: "Kamera",
  screen: "Bildschirm teilen",
  level: "Lautstärke Ihres Mikrofons",
  testSpeaker: "Lautsprecher testen",
  toneIsPlaying: "Sie sollten jetzt einen Ton hören.",
  alone: "Es ist noch niemand sonst im Anruf.",
  who: {
    hearAndSee_one: "Verschlüsselt. {{count}} andere Person kann Sie hören und sehen.",
    hearAndSee_other: "Verschlüsselt. {{count}} andere Personen können Sie hören und sehen.",
    hear_one: "Verschlüsselt. {{count}} andere Person kann Sie hören. Niemand kann Sie sehen.",
    hear_other: "Verschlüsselt. {{count}} andere Personen können Sie hören. Niemand kann Sie sehen.",
    see_one: "Verschlüsselt. {{count}} andere Person kann Sie sehen. Niemand kann Sie hören.",
    see_other: "Verschlüsselt. {{count}} andere Personen können Sie sehen. Niemand kann Sie hören.",
    nothing_one: "Verschlüsselt. Niemand kann Sie hören oder sehen. {{count}} andere Person ist im Anruf.",
    nothing_other: "Verschlüsselt. Niemand kann Sie hören oder sehen. {{count}} andere Personen sind im Anruf.",
    screen: "Ihr Bildschirm ist für sie zu sehen.",
  },
  rekeying: "Der Schlüssel wird gewechselt …",
  viewer: "Sie können zuhören und zusehen. Die Leitung kann Sie sprechen lassen.",
  you: "{{name}} (Sie)",
  screenOf: "Bildschirm von {{name}}",
  sharing: "Sie teilen Ihren Bildschirm",
  enlarge: "{{name}} vergrößern",
  shrink: "{{name}} verkleinern",
  connecting: "Verbindung wird aufgebaut …",
  noPath: "Kein Ton und kein Bild mit {{name}}. Chat und Whiteboard gehen.",
  undecryptable: "{{name}} lässt sich nicht entschlüsseln",
  speaking: "Spricht",
  quality: { fair: "Schwache Verbindung", poor: "Schlechte Verbindung" },
  screenSound: "Mit Ton",
  microphoneOff: "Mikrofon aus",
  silenced: {
    microphone:
      "Ihr Mikrofon ist außerhalb dieser Seite stummgeschaltet. Schalten Sie es im System oder am Headset wieder ein.",
    camera:
      "Ihre Kamera ist außerhalb dieser Seite angehalten. Erlauben Sie das Bild im System oder im Browser, oder öffnen Sie die Blende.",
  },
  mute: "Stummschalten",
  askToUnmute: "Bitten, das Mikrofon einzuschalten",
  mutedBy: "{{name}} hat Ihr Mikrofon ausgeschaltet.",
  askedBy: "{{name}} bittet Sie, das Mikrofon einzuschalten.",
  unmute: "Mikrofon einschalten",
  stayMuted: "Stumm bleiben",
  busy: "Dieses Gerät ist ausgelastet, Ihr Bild ist weniger flüssig. Es hilft, die Kamera auszuschalten.",
  before: "Sie waren im Anruf, bevor diese Seite neu geladen wurde.",
  rejoinWith: {
    none: "Sie kommen zurück, und Mikrofon und Kamera sind aus.",
    microphone: "Sie kommen mit eingeschaltetem Mikrofon zurück.",
    camera: "Sie kommen mit eingeschalteter Kamera zurück.",
    both: "Sie kommen zurück, und Mikrofon und Kamera sind an.",
  },
  rejoin: "Wieder teilnehmen",
  notNow: "Nicht jetzt",
  devices: "Geräte",
  choose: { microphone: "Dieses Mikrofon nehmen", camera: "Diese Kamera nehmen", speaker: "Ton ausgeben auf" },
  defaultDevice: "Wie der Browser",
  unnamedDevice: "Gerät ohne Namen",
  noDevices: "Schalten Sie zuerst Mikrofon oder Kamera ein. Dann zeigt der Browser Ihre Geräte.",
  noSpeakers: "Der Browser gibt den Ton auf seinem Standardgerät aus.",
  soundRefused:
    "Ihr Browser hält den Ton dieses Anrufs zurück. Drücken Sie auf „Ton abspielen“, um die anderen zu hören.",
  playSound: "Ton abspielen",
  retry: "Erneut versuchen",
  refusedIn: {
    chromium:
      "Der Browser erlaubt es nicht. Drücken Sie auf das Symbol links neben der Adresse, erlauben Sie das Gerät, und versuchen Sie es noch einmal.",
    firefox:
      "Der Browser erlaubt es nicht. Drücken Sie auf das durchgestrichene Symbol links neben der Adresse, heben Sie die Sperre auf, und versuchen Sie es noch einmal.",
    safari:
      "Der Browser erlaubt es nicht. Erlauben Sie das Gerät in den Einstellungen von Safari für diese Website, und versuchen Sie es noch einmal.",
  },
  problem: {
    system:
      "Ihr System lässt es den Browser nicht benutzen. Erlauben Sie es in den Datenschutzeinstellungen Ihres Systems, und versuchen Sie es noch einmal.",
    missing: "Es wurde kein Gerät gefunden. Schließen Sie eines an, und versuchen Sie es noch einmal.",
    busy: "Ein anderes Programm benutzt das Gerät. Schließen Sie es dort, und versuchen Sie es noch einmal.",
    cameraEnded:
      "Ihre Kamera wurde getrennt. Schließen Sie sie an oder wählen Sie eine andere, und versuchen Sie es noch einmal.",
    microphoneEnded:
      "Ihr Mikrofon wurde getrennt. Schließen Sie es an oder wählen Sie ein anderes, und versuchen Sie es noch einmal.",
    unsupported:
      "Dieser Browser kann Anrufe nicht verschlüsseln. Nehmen Sie einen aktuellen Chrome, Edge oder Firefox.",
    full: "Der Anruf ist voll: 24 Personen sind dabei. Versuchen Sie es noch einmal, wenn jemand ihn verlassen hat.",
    stopped: "Der Anruf ist in diesem Browser abgebrochen, niemand hört oder sieht Sie. Nehmen Sie noch einmal teil.",
    failed: "Das hat nicht geklappt. Prüfen Sie Ihre Verbindung, und versuchen Sie es noch einmal.",
  },
}
