import type { Texts } from "../en/index.ts"

export const files: Texts["files"] = {
  attach: "Compartir archivos",
  limit: "Un archivo puede tener 512 MB como máximo.",
  drop: "Suéltalo aquí para compartirlo con todos en la conferencia, y con nadie más.",
  dropPicture: "Suelta imágenes en la pizarra para ponerlas allí. Las grandes se reducen.",
  picture: "Imagen {{name}}",
  openPicture: "Ampliar",
  save: "Guardar",
  saveNamed: "Guardar {{name}}",
  here: "en este dispositivo",
  kept: "{{size}} recibidos",
  progress: "Descargando {{name}}",
  percent: "{{percent}}\u00a0%",
  waiting: "Esperando a alguien que tenga este archivo.",
  cancel: "Cancelar",
  cancelNamed: "Cancelar {{name}}",
  preparing: "Preparando {{name}}",
  notShared: "No se ha compartido {{name}}.",
  notSharedMore_one: "No se ha compartido {{name}} ni {{count}} archivo más.",
  notSharedMore_other: "No se ha compartido {{name}} ni {{count}} archivos más.",
  deleteHint:
    "Nadie podrá descargarlo, y desaparece de esta conferencia en todos los dispositivos. Quienes lo hayan guardado lo conservan.",
  inChat: "[Archivo: {{name}}]",
}
