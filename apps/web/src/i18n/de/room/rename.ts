import type { Texts } from "../../en/index.ts"

export const rename: Texts["rename"] = {
  open: "Meinen Namen ändern",
  hint: "Sie verlassen die Konferenz kurz und kommen mit dem neuen Namen zurück. Ein Anruf endet. Die anderen sehen beide Namen, und frühere Nachrichten behalten den alten.",
  knock: "Die Leitung muss Sie wieder einlassen.",
  serverDown:
    "Der Server ist nicht erreichbar, und ohne ihn könnten Sie nicht zurückkommen. Versuchen Sie es, wenn er wieder da ist.",
  change: "Namen ändern",
  renamed: "{{before}} heißt jetzt {{name}}.",
}
