import type { Texts } from "../../en/index.ts"

export const embed: Texts["embed"] = {
  inside: "Eingebettet in eine andere Website, die nicht lesen kann, was Sie hier schreiben und zeichnen.",
  insideOf: "Eingebettet in {{host}}. Diese Website kann nicht lesen, was Sie hier schreiben und zeichnen.",
  refused: "Keymoot darf nicht in dieser Website gezeigt werden",
  refusedHint: "Der Server nennt diese Website nicht als erlaubt. Öffnen Sie Keymoot in einem eigenen Tab.",
  open: "In neuem Tab öffnen",
}
