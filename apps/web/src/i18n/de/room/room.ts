import type { Texts } from "../../en/index.ts"

export const room: Texts["room"] = {
  lower: "Die Hand von {{name}} senken",
  lowerMine: "Meine Hand senken",
  lowered: "{{name}} hat Ihre Hand gesenkt.",
  peopleWaiting_one: "Personen, {{count}} wartet",
  peopleWaiting_other: "Personen, {{count}} warten",
  newHand: "Jemand hat in der Konferenz die Hand gehoben",
}
