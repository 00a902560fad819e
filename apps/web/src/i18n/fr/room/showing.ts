import type { Texts } from "../../en/index.ts"

export const showing: Texts["showing"] = {
  slides: "Cadres en diapositives",
  noSlides: "Il n’y a pas encore de cadre. Dessinez-en un avec l’outil cadre.",
  count_one: "{{count}} diapositive",
  count_other: "{{count}} diapositives",
  slide: "Diapositive {{at}} sur {{all}}",
  previous: "Diapositive précédente",
  next: "Diapositive suivante",
  bring: "Amener tout le monde ici",
  close: "Fermer les diapositives",
  brought: "{{name}} vous a amené ici. Vous voyez ce que voit {{name}}, jusqu’à ce que vous déplaciez le tableau.",
}
