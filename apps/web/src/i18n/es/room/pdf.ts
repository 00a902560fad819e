import type { Texts } from "../../en/index.ts"

export const pdf: Texts["pdf"] = {
  insert: "Insertar páginas de un PDF",
  drawing: "Dibujando las páginas en este dispositivo…",
  done_one: "Se ha añadido {{count}} página.",
  done_other: "Se han añadido {{count}} páginas.",
  leftOut_one: "Se ha omitido {{count}} página. Comparte el archivo en el chat para pasarlo entero.",
  leftOut_other: "Se han omitido {{count}} páginas. Comparte el archivo en el chat para pasarlo entero.",
  save: "Guardar como PDF",
  saving: "Escribiendo el PDF en este dispositivo…",
  saved_one: "Guardado: {{count}} página.",
  saved_other: "Guardado: {{count}} páginas, una por cada marco.",
  notAllSaved_one: "Se ha omitido {{count}} marco.",
  notAllSaved_other: "Se han omitido {{count}} marcos.",
  emptyBoard: "La pizarra está vacía.",
  notSaved: "No se ha podido escribir el PDF. Guarda la pizarra como imagen.",
  tooLarge: "Este PDF es demasiado grande. Compártelo en el chat.",
  notAPdf: "Este archivo no se puede leer como PDF. Puede estar dañado o protegido con una contraseña.",
}
