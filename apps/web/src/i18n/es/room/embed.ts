import type { Texts } from "../../en/index.ts"

export const embed: Texts["embed"] = {
  inside: "Se muestra dentro de otro sitio web, que no puede leer lo que escribes o dibujas aquí.",
  insideOf: "Se muestra dentro de {{host}}, que no puede leer lo que escribes o dibujas aquí.",
  refused: "Keymoot no se puede mostrar dentro de este sitio web",
  refusedHint: "Su servidor no incluye este sitio web entre los permitidos. Abre Keymoot en una pestaña propia.",
  open: "Abrir en una pestaña nueva",
}
