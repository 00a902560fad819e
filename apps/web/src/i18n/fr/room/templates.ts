import type { Texts } from "../../en/index.ts"

export const templates: Texts["templates"] = {
  names: {
    sticky: "Note autocollante",
    retro: "Modèle : rétrospective",
    kanban: "Modèle : kanban",
    mindMap: "Modèle : carte mentale",
    lesson: "Modèle : cours",
  },
  write: "Écrivez ici",
  good: "Ce qui a bien marché",
  bad: "Ce qui a moins bien marché",
  ideas: "Ce que nous essayons ensuite",
  toDo: "À faire",
  doing: "En cours",
  done: "Terminé",
  goal: "Objectif",
  material: "Supports",
  tasks: "Exercices",
  questions: "Questions",
  topic: "Sujet",
  idea: "Idée",
}
