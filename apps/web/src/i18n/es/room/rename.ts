import type { Texts } from "../../en/index.ts"

export const rename: Texts["rename"] = {
  open: "Cambiar mi nombre",
  hint: "Sales un momento y vuelves con el nombre nuevo. Una llamada se corta. Los demás ven ambos nombres, y los mensajes anteriores conservan el antiguo.",
  change: "Cambiar nombre",
  renamed: "{{before}} ahora se llama {{name}}.",
}
