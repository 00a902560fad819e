import type { Texts } from "../../en/index.ts"

export const embed: Texts["embed"] = {
  inside: {
    unseen: "Affiché dans un autre site, qui ne peut pas lire ce que vous écrivez ou dessinez ici.",
    known: "Affiché dans un autre site. Ce site connaît le lien de cette conférence et peut donc y entrer.",
    unsaid: "Affiché dans un autre site.",
  },
  insideOf: {
    unseen: "Affiché dans {{host}}, qui ne peut pas lire ce que vous écrivez ou dessinez ici.",
    known: "Affiché dans {{host}}. Ce site connaît le lien de cette conférence et peut donc y entrer.",
    unsaid: "Affiché dans {{host}}.",
  },
  refused: "Keymoot ne peut pas être affiché dans ce site",
  refusedHint: "Son serveur n’autorise pas ce site. Ouvrez Keymoot dans un onglet à part.",
  open: "Ouvrir dans un nouvel onglet",
}
