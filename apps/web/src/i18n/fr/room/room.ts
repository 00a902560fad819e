import type { Texts } from "../../en/index.ts"

export const room: Texts["room"] = {
  lower: "Baisser la main de {{name}}",
  lowerMine: "Baisser ma main",
  lowered: "{{name}} a baissé votre main.",
  peopleWaiting_one: "Personnes, {{count}} en attente",
  peopleWaiting_other: "Personnes, {{count}} en attente",
  role: {
    host: "{{name}} est maintenant hôte.",
    editor: "{{name}} peut maintenant écrire et dessiner.",
    viewer: "{{name}} peut maintenant seulement regarder.",
  },
  myRole: {
    host: "Vous êtes maintenant hôte. Vous pouvez faire entrer des personnes, les exclure et changer leur rôle.",
    editor: "Vous pouvez maintenant écrire et dessiner.",
    viewer: "Vous pouvez maintenant seulement regarder. Un hôte peut changer cela.",
  },
  newHand: "Quelqu’un a levé la main dans la conférence",
}
