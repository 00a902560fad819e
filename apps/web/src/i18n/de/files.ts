import type { Texts } from "../en/index.ts"

export const files: Texts["files"] = {
  attach: "Dateien teilen",
  limit: "Eine Datei hat höchstens 512 MB.",
  drop: "Hier ablegen: Dann können alle in der Konferenz die Datei holen, und niemand sonst.",
  dropPicture: "Bilder, die Sie auf dem Whiteboard ablegen, kommen darauf, nötigenfalls verkleinert.",
  picture: "Bild {{name}}",
  save: "Speichern",
  saveNamed: "{{name}} speichern",
  here: "auf diesem Gerät",
  kept: "{{size}} davon sind da",
  progress: "{{name}} kommt",
  percent: "{{percent}} %",
  waiting: "Es wird auf jemanden gewartet, der die Datei hat.",
  cancel: "Abbrechen",
  cancelNamed: "{{name}} abbrechen",
  preparing: "{{name}} wird vorbereitet",
  notShared: "{{name}} wurde nicht geteilt.",
  deleteHint:
    "Sie wird niemandem mehr angeboten und verschwindet von den Geräten aller, die sie hier haben. Wer sie gespeichert hat, behält sie.",
  inChat: "[Datei: {{name}}]",
}
