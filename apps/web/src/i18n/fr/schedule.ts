import type { Texts } from "../en/index.ts"

export const schedule: Texts["schedule"] = {
  opens: "Ouverture (vide : maintenant)",
  wrong: "Choisissez une heure à venir. La conférence doit finir dans les 30 jours.",
  title: "Pas encore ouverte",
  opensAt: "Cette conférence ouvre : {{time}}.",
  hint: "Laissez cette page ouverte pour entrer automatiquement. Vous pouvez aussi revenir plus tard avec le lien.",
}
