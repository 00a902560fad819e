import type { Texts } from "../../en/index.ts"

export const moving: Texts["moving"] = {
  open: "Continuer dans une nouvelle conférence",
  hint: "Le tableau blanc est copié dans une nouvelle conférence avec le même titre et les mêmes règles. Celle-ci reste telle quelle. Le chat, les fichiers et les votes restent ici.",
  rules: "Vous en serez l’hôte et ferez entrer les autres.",
  tell: "Envoyer le nouveau lien aux personnes présentes",
  tellHint: "Chacune décide si elle vous suit. Sans cela, vous avez une copie du tableau blanc pour vous seul.",
  go: "Continuer là-bas",
  message: "Nous continuons ici : {{url}}",
  failed: "La nouvelle conférence n’a pas pu être créée. Réessayez.",
}
