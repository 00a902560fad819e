import type { Texts } from "../../en/index.ts"

export const templates: Texts["templates"] = {
  names: {
    sticky: "Nota adhesiva",
    retro: "Plantilla: retrospectiva",
    kanban: "Plantilla: kanban",
    mindMap: "Plantilla: mapa mental",
    lesson: "Plantilla: clase",
  },
  write: "Escribe aquí",
  good: "Qué ha ido bien",
  bad: "Qué no",
  ideas: "Qué probamos ahora",
  toDo: "Por hacer",
  doing: "En curso",
  done: "Hecho",
  goal: "Objetivo",
  material: "Materiales",
  tasks: "Tareas",
  questions: "Preguntas",
  topic: "Tema",
  idea: "Idea",
}
