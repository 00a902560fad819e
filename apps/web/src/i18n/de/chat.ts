import type { Texts } from "../en/index.ts"

export const chat: Texts["chat"] = {
  log: "Gesprächsverlauf",
  message: "Nachricht",
  send: "Senden",
  empty: "Noch keine Nachrichten.",
  you: "Sie",
  handedOver: "übergeben",
  handedOverHint:
    "Geschrieben, bevor Sie kamen. Ein anderes Mitglied hat es übergeben; die Unterschrift wurde geprüft.",
  sending: "Wird gesendet…",
  waiting: "Wartet auf den Schlüssel…",
  failed: "Nicht gesendet.",
  interrupted: "Die Seite wurde geschlossen, bevor sicher war, dass die Nachricht angekommen ist.",
  retry: "Noch einmal versuchen",
  discard: "Verwerfen",
  latest: "Neueste Nachrichten",
  tooMany: "Zu viele Nachrichten warten auf das Senden.",
}
