import type { Texts } from "../en/index.ts"

export const update: Texts["update"] = {
  ready: "Es gibt eine neue Version von Keymoot.",
  load: "Laden",
  hint: "Worin Sie gerade sind, das geht weiter.",
  later: "Später",
}
