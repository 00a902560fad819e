import type { Texts } from "../../en/index.ts"

export const rename: Texts["rename"] = {
  open: "Changer mon nom",
  hint: "Vous sortez un instant et revenez avec le nouveau nom. Un appel prend fin. Les autres voient les deux noms, et les messages précédents gardent l’ancien.",
  knock: "Un hôte doit vous laisser entrer à nouveau.",
  serverDown:
    "Le serveur est injoignable, et sans lui vous ne pourriez pas revenir. Réessayez quand il sera de retour.",
  change: "Changer le nom",
  renamed: "{{before}} s’appelle maintenant {{name}}.",
}
