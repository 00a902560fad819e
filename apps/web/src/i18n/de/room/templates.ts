import type { Texts } from "../../en/index.ts"

export const templates: Texts["templates"] = {
  names: {
    sticky: "Haftnotiz",
    retro: "Vorlage: Rückblick",
    kanban: "Vorlage: Kanban",
    mindMap: "Vorlage: Mindmap",
    lesson: "Vorlage: Unterricht",
  },
  write: "Hier schreiben",
  good: "Das lief gut",
  bad: "Das nicht",
  ideas: "Das versuchen wir",
  toDo: "Zu tun",
  doing: "In Arbeit",
  done: "Fertig",
  goal: "Ziel",
  material: "Material",
  tasks: "Aufgaben",
  questions: "Fragen",
  topic: "Thema",
  idea: "Idee",
}
