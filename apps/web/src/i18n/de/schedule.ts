import type { Texts } from "../en/index.ts"

export const schedule: Texts["schedule"] = {
  opens: "Öffnet um (leer: sofort)",
  wrong: "Wählen Sie einen Zeitpunkt, der noch kommt, sodass die Konferenz innerhalb von 30 Tagen endet.",
  title: "Noch nicht offen",
  opensAt: "Diese Konferenz öffnet: {{time}}.",
  hint: "Lassen Sie diese Seite offen: Sie kommen von selbst hinein, wenn es so weit ist. Mit dem Link können Sie auch später wiederkommen.",
}
