import type { Texts } from "../en/index.ts"

export const schedule: Texts["schedule"] = {
  opens: "Öffnet am (leer: sofort)",
  wrong: "Wählen Sie einen Zeitpunkt in der Zukunft. Die Konferenz muss innerhalb von 30 Tagen enden.",
  title: "Noch nicht offen",
  opensAt: "Diese Konferenz öffnet: {{time}}.",
  hint: "Lassen Sie diese Seite offen, um automatisch einzutreten. Mit dem Link können Sie auch später wiederkommen.",
}
