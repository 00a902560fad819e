import type { Texts } from "../en/index.ts"

export const part: Texts["part"] = {
  broken: "No se ha podido cargar esta parte de la página.",
  hint: "Vuelve a cargar la página. Volverás a donde estás ahora.",
  load: "Volver a cargar",
  later: "Más tarde",
}

export const update: Texts["update"] = {
  ready: "Hay una versión nueva de Keymoot.",
  load: "Actualizar",
  hint: "Tu conferencia continúa donde estaba.",
  forms: "Los formularios que no hayas enviado se vaciarán.",
  later: "Más tarde",
  weAreOlder: "Vuelve a cargar esta página: otros usan una versión más nueva.",
  reload: "Volver a cargar",
  theyAreOlder_one: "{{names}} usa una versión anterior. Pídele que vuelva a cargar la página.",
  theyAreOlder_other: "{{names}} usan una versión anterior. Pídeles que vuelvan a cargar la página.",
  manyAreOlder_one: "{{count}} persona usa una versión anterior. Pídele que vuelva a cargar la página.",
  manyAreOlder_other: "{{count}} personas usan una versión anterior. Pídeles que vuelvan a cargar la página.",
}
