import type { Texts } from "../en/index.ts"

export const files: Texts["files"] = {
  attach: "Dateien teilen",
  limit: "Eine Datei kann höchstens 512 MB haben.",
  drop: "Legen Sie sie hier ab, um sie mit allen in der Konferenz zu teilen, und mit niemandem sonst.",
  dropPicture: "Legen Sie Bilder auf dem Whiteboard ab, um sie dort zu zeigen. Große werden verkleinert.",
  picture: "Bild {{name}}",
  openPicture: "Größer zeigen",
  save: "Speichern",
  saveNamed: "{{name}} speichern",
  here: "auf diesem Gerät",
  kept: "{{size}} empfangen",
  progress: "{{name}} wird heruntergeladen",
  percent: "{{percent}}\u00a0%",
  waiting: "Warten auf jemanden, der diese Datei hat.",
  cancel: "Abbrechen",
  cancelNamed: "{{name}} abbrechen",
  preparing: "{{name}} wird vorbereitet",
  notShared: "{{name}} wurde nicht geteilt.",
  notSharedMore_one: "{{name}} und {{count}} weitere Datei wurden nicht geteilt.",
  notSharedMore_other: "{{name}} und {{count}} weitere Dateien wurden nicht geteilt.",
  deleteHint:
    "Niemand kann sie mehr herunterladen, und sie verschwindet auf allen Geräten aus dieser Konferenz. Wer sie gespeichert hat, behält sie.",
  inChat: "[Datei: {{name}}]",
}
