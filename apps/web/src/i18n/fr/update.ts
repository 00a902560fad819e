import type { Texts } from "../en/index.ts"

export const part: Texts["part"] = {
  broken: "Cette partie de la page n’a pas pu être chargée.",
  hint: "Rechargez la page. Vous reviendrez là où vous êtes.",
  load: "Recharger",
  later: "Plus tard",
}

export const update: Texts["update"] = {
  ready: "Une nouvelle version de Keymoot est disponible.",
  load: "Mettre à jour",
  hint: "Votre conférence continue où elle en était.",
  forms: "Les formulaires que vous n’avez pas envoyés seront vidés.",
  later: "Plus tard",
  weAreOlder: "Rechargez cette page : d’autres utilisent une version plus récente.",
  reload: "Recharger",
  theyAreOlder_one: "{{names}} utilise une version plus ancienne. Demandez-lui de recharger.",
  theyAreOlder_other: "{{names}} utilisent une version plus ancienne. Demandez-leur de recharger.",
  manyAreOlder_one: "{{count}} personne utilise une version plus ancienne. Demandez-lui de recharger.",
  manyAreOlder_other: "{{count}} personnes utilisent une version plus ancienne. Demandez-leur de recharger.",
}
