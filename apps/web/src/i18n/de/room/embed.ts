import type { Texts } from "../../en/index.ts"

export const embed: Texts["embed"] = {
  inside: {
    unseen: "Eingebettet in eine andere Website, die nicht lesen kann, was Sie hier schreiben und zeichnen.",
    known: "Eingebettet in eine andere Website. Sie kennt den Link dieser Konferenz und kann daher teilnehmen.",
    unsaid: "Eingebettet in eine andere Website.",
  },
  insideOf: {
    unseen: "Eingebettet in {{host}}. Diese Website kann nicht lesen, was Sie hier schreiben und zeichnen.",
    known: "Eingebettet in {{host}}. Diese Website kennt den Link dieser Konferenz und kann daher teilnehmen.",
    unsaid: "Eingebettet in {{host}}.",
  },
  refused: "Keymoot darf nicht in dieser Website gezeigt werden",
  refusedHint: "Der Server nennt diese Website nicht als erlaubt. Öffnen Sie Keymoot in einem eigenen Tab.",
  open: "In neuem Tab öffnen",
}
