import type { Texts } from "../../en/index.ts"

export const showing: Texts["showing"] = {
  slides: "Marcos como diapositivas",
  noSlides: "Todavía no hay marcos. Dibuja uno con la herramienta de marcos.",
  count_one: "{{count}} diapositiva",
  count_other: "{{count}} diapositivas",
  slide: "Diapositiva {{at}} de {{all}}",
  previous: "Diapositiva anterior",
  next: "Diapositiva siguiente",
  bring: "Traer a todos aquí",
  close: "Cerrar las diapositivas",
  brought: "{{name}} te ha traído aquí. Ves lo que ve {{name}}, hasta que muevas la pizarra.",
}
