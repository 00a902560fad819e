import type { Texts } from "../../en/index.ts"

export const moving: Texts["moving"] = {
  open: "Continuar en una conferencia nueva",
  hint: "La pizarra se copia en una conferencia nueva con el mismo título y las mismas reglas. Esta conferencia se queda como está. El chat, los archivos y las votaciones se quedan aquí.",
  rules: "Serás su anfitrión y dejarás entrar a los demás.",
  tell: "Enviar el enlace nuevo a las personas de aquí",
  tellHint: "Cada una decide si te acompaña. Si no lo envías, tienes una copia de la pizarra solo para ti.",
  go: "Continuar allí",
  message: "Continuamos aquí: {{url}}",
  failed: "No se ha podido empezar la conferencia nueva. Inténtalo de nuevo.",
}
