import type { Texts } from "../en/index.ts"

export const part: Texts["part"] = {
  broken: "Dieser Teil der Seite konnte nicht geladen werden.",
  hint: "Laden Sie die Seite neu. Nichts geht verloren, und Sie kommen dorthin zurück, wo Sie sind.",
  load: "Neu laden",
  later: "Später",
}
