import type { Texts } from "../../en/index.ts"

export const timer: Texts["timer"] = {
  title: "Minuteur",
  hint: "Tout le monde le voit. Toutes les personnes qui peuvent dessiner peuvent le modifier.",
  minutes_one: "{{count}} minute",
  minutes_other: "{{count}} minutes",
  length: "Minutes",
  lengthNeeded: "Écrivez un nombre de 1 à {{count}}.",
  start: "Démarrer le minuteur",
  pause: "Pause",
  resume: "Continuer",
  clear: "Supprimer le minuteur",
  left: "Minuteur : encore {{time}}",
  paused: "Minuteur en pause : encore {{time}}",
  over: "Le minuteur est terminé.",
}
