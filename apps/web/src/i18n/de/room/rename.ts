import type { Texts } from "../../en/index.ts"

export const rename: Texts["rename"] = {
  open: "Meinen Namen ändern",
  hint: "Sie gehen kurz hinaus und kommen mit dem neuen Namen zurück. Ein Anruf endet. Die anderen sehen beide Namen, und frühere Nachrichten behalten den alten.",
  change: "Namen ändern",
  renamed: "{{before}} heißt jetzt {{name}}.",
}
