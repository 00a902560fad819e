import type { Texts } from "../../en/index.ts"

export const embed: Texts["embed"] = {
  inside: {
    unseen: "Se muestra dentro de otro sitio web, que no puede leer lo que escribes o dibujas aquí.",
    known: "Se muestra dentro de otro sitio web. Ese sitio conoce el enlace de esta conferencia, así que puede unirse.",
    unsaid: "Se muestra dentro de otro sitio web.",
  },
  insideOf: {
    unseen: "Se muestra dentro de {{host}}, que no puede leer lo que escribes o dibujas aquí.",
    known: "Se muestra dentro de {{host}}. Ese sitio conoce el enlace de esta conferencia, así que puede unirse.",
    unsaid: "Se muestra dentro de {{host}}.",
  },
  refused: "Keymoot no se puede mostrar dentro de este sitio web",
  refusedHint: "Su servidor no incluye este sitio web entre los permitidos. Abre Keymoot en una pestaña propia.",
  open: "Abrir en una pestaña nueva",
}
