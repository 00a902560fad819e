import type { Texts } from "../../en/index.ts"

export const rename: Texts["rename"] = {
  open: "Cambiar mi nombre",
  hint: "Sales un momento y vuelves con el nombre nuevo. Una llamada se corta. Los demás ven ambos nombres, y los mensajes anteriores conservan el antiguo.",
  knock: "Un anfitrión tiene que dejarte entrar de nuevo.",
  serverDown: "El servidor no está disponible, y sin él no podrías volver. Inténtalo de nuevo cuando vuelva.",
  change: "Cambiar nombre",
  renamed: "{{before}} ahora se llama {{name}}.",
}
