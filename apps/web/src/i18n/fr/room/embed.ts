import type { Texts } from "../../en/index.ts"

export const embed: Texts["embed"] = {
  inside: "Affiché dans un autre site, qui ne peut pas lire ce que vous écrivez ou dessinez ici.",
  insideOf: "Affiché dans {{host}}, qui ne peut pas lire ce que vous écrivez ou dessinez ici.",
  refused: "Keymoot ne peut pas être affiché dans ce site",
  refusedHint: "Son serveur n’autorise pas ce site. Ouvrez Keymoot dans un onglet à part.",
  open: "Ouvrir dans un nouvel onglet",
}
