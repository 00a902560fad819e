import type { Texts } from "../../en/index.ts"

export const room: Texts["room"] = {
  lower: "Die Hand von {{name}} senken",
  lowerMine: "Meine Hand senken",
  lowered: "{{name}} hat Ihre Hand gesenkt.",
  peopleWaiting_one: "Personen, {{count}} wartet",
  peopleWaiting_other: "Personen, {{count}} warten",
  role: {
    host: "{{name}} hat jetzt die Leitung.",
    editor: "{{name}} kann jetzt schreiben und zeichnen.",
    viewer: "{{name}} kann jetzt nur zusehen.",
  },
  myRole: {
    host: "Sie haben jetzt die Leitung. Sie können andere hereinlassen, entfernen und ihre Rollen ändern.",
    editor: "Sie können jetzt schreiben und zeichnen.",
    viewer: "Sie können jetzt nur zusehen. Die Leitung kann das ändern.",
  },
  newHand: "Jemand hat in der Konferenz die Hand gehoben",
}
