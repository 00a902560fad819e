import type { Texts } from "../../en/index.ts"

export const pdf: Texts["pdf"] = {
  insert: "Insérer les pages d’un PDF",
  drawing: "Rendu des pages sur cet appareil…",
  done_one: "{{count}} page a été ajoutée.",
  done_other: "{{count}} pages ont été ajoutées.",
  leftOut_one: "{{count}} page a été omise. Partagez le fichier dans le chat pour le transmettre en entier.",
  leftOut_other: "{{count}} pages ont été omises. Partagez le fichier dans le chat pour le transmettre en entier.",
  save: "Enregistrer en PDF",
  saving: "Écriture du PDF sur cet appareil…",
  saved_one: "Enregistré : {{count}} page.",
  saved_other: "Enregistré : {{count}} pages, une par cadre.",
  notAllSaved_one: "{{count}} cadre a été omis.",
  notAllSaved_other: "{{count}} cadres ont été omis.",
  emptyBoard: "Le tableau blanc est vide.",
  notSaved: "Le PDF n’a pas pu être écrit. Enregistrez plutôt le tableau blanc comme image.",
  tooLarge: "Ce PDF est trop volumineux. Partagez-le plutôt dans le chat.",
  notAPdf: "Ce fichier n’est pas lisible comme PDF. Il est peut-être endommagé, ou protégé par un mot de passe.",
}
