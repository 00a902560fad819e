import type { Texts } from "../en/index.ts"

export const mine: Texts["mine"] = {
  title: "Mes conférences",
  hint: "Les conférences que vous n’avez pas quittées. Toute personne qui utilise ce navigateur peut y revenir à votre place. La liste n’est que sur cet appareil, et une conférence y reste jusqu’à ce que vous la quittiez ou l’oubliiez ici, même si elle est terminée.",
  none: "Aucune conférence.",
  count_one: "{{count}} conférence",
  count_other: "{{count}} conférences",
  with: "Avec {{names}}",
  untitled: "Conférence du {{time}}",
  entered: "Entrée le {{time}}",
  opens: "Ouvre le {{time}}",
  ends: "Jusqu’au {{time}}",
  ended: "Terminée depuis le {{time}}",
  return: "Revenir à {{name}}",
  forget: "Oublier {{name}}",
  forgetAll: "Les oublier toutes",
  forgetHint_one:
    "Supprimer définitivement cette conférence de cet appareil ? Il n’en existe peut-être aucune autre copie.",
  forgetHint_other:
    "Supprimer définitivement {{count}} conférences de cet appareil ? Il n’en existe peut-être aucune autre copie.",
  keep: "Garder",
  forgetNow: "Oublier définitivement",
}
