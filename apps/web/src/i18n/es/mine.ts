import type { Texts } from "../en/index.ts"

export const mine: Texts["mine"] = {
  title: "Mis conferencias",
  hint: "Conferencias de las que no has salido. Cualquiera que use este navegador puede volver a ellas como si fuera tú. La lista está solo en este dispositivo, y una conferencia se queda en ella hasta que salgas o la olvides aquí, aunque haya terminado.",
  none: "No hay conferencias.",
  count_one: "{{count}} conferencia",
  count_other: "{{count}} conferencias",
  with: "Con {{names}}",
  untitled: "Conferencia: {{time}}",
  entered: "Entrada: {{time}}",
  opens: "Se abre: {{time}}",
  ends: "Hasta: {{time}}",
  ended: "Terminó: {{time}}",
  return: "Volver a {{name}}",
  forget: "Olvidar {{name}}",
  forgetAll: "Olvidarlas todas",
  forgetHint_one: "¿Borrar definitivamente esta conferencia de este dispositivo? Puede que no exista otra copia.",
  forgetHint_other:
    "¿Borrar definitivamente {{count}} conferencias de este dispositivo? Puede que no existan otras copias.",
  keep: "Conservar",
  forgetNow: "Olvidar para siempre",
}
