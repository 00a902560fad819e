import type { Texts } from "../../en/index.ts"

export const timer: Texts["timer"] = {
  title: "Timer",
  hint: "Alle sehen ihn. Alle, die zeichnen dürfen, können ihn ändern.",
  minutes_one: "{{count}} Minute",
  minutes_other: "{{count}} Minuten",
  length: "Minuten",
  lengthNeeded: "Schreiben Sie eine Zahl von 1 bis {{count}}.",
  start: "Timer starten",
  pause: "Anhalten",
  resume: "Fortsetzen",
  clear: "Timer entfernen",
  left: "Timer: noch {{time}}",
  paused: "Timer angehalten: noch {{time}}",
  over: "Der Timer ist abgelaufen.",
}
