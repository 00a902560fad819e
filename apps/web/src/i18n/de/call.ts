import type { Texts } from "../en/index.ts"

export const call: Texts["call"] = {
  name: "Anruf",
  open: "Anruf",
  openOthers_one: "Anruf, {{count}} Person ist dabei",
  openOthers_other: "Anruf, {{count}} Personen sind dabei",
  title: "Am Anruf teilnehmen",
  tiles: "Personen im Anruf",
  unavailable:
    "Dieser Browser kann nicht anrufen. Chat und Whiteboard gehen. Nehmen Sie für Anrufe einen aktuellen Chrome, Edge oder Firefox.",
  preview: "Ihre Kamera",
  previewOff: "Ihre Kamera ist aus.",
  muted: "Mikrofon und Kamera sind zu Beginn aus.",
  join: "Teilnehmen",
  entering: "Sie nehmen gleich teil …",
  leave: "Anruf verlassen",
  microphone: "Mikrofon",
  camera: "Kamera",
  screen: "Bildschirm teilen",
  level: "Lautstärke Ihres Mikrofons",
  alone: "Es ist noch niemand sonst im Anruf.",
  who_one: "Verschlüsselt. {{count}} andere Person kann Sie hören und sehen.",
  who_other: "Verschlüsselt. {{count}} andere Personen können Sie hören und sehen.",
  viewer: "Sie können zuhören und zusehen. Ein Gastgeber kann Sie sprechen lassen.",
  you: "{{name}} (Sie)",
  screenOf: "Bildschirm von {{name}}",
  connecting: "Verbindung wird aufgebaut …",
  microphoneOff: "Mikrofon aus",
  problem: {
    refused:
      "Der Browser erlaubt es nicht. Erlauben Sie das Gerät für diese Seite in der Adresszeile, und versuchen Sie es noch einmal.",
    missing: "Es wurde kein Gerät gefunden. Schließen Sie eines an, und versuchen Sie es noch einmal.",
    busy: "Ein anderes Programm benutzt das Gerät. Schließen Sie es dort, und versuchen Sie es noch einmal.",
    unsupported:
      "Dieser Browser kann Anrufe nicht verschlüsseln. Nehmen Sie einen aktuellen Chrome, Edge oder Firefox.",
    failed: "Das hat nicht geklappt. Prüfen Sie Ihre Verbindung, und versuchen Sie es noch einmal.",
  },
}
