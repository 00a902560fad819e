import type { Texts } from "../en/index.ts"

export const part: Texts["part"] = {
  broken: "No se ha podido cargar esta parte de la página.",
  hint: "Vuelve a cargar la página. No se pierde nada, y vuelves a donde estás.",
  load: "Volver a cargar",
  later: "Más tarde",
}
