import type { Texts } from "../en/index.ts"

export const part: Texts["part"] = {
  broken: "Cette partie de la page n’a pas pu être chargée.",
  hint: "Rechargez la page. Rien n’est perdu, et vous revenez où vous êtes.",
  load: "Recharger",
  later: "Plus tard",
}
