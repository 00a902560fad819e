import type { Texts } from "../en/index.ts"

export const security: Texts["security"] = {
  title: "Sécurité",
  epoch: "Numéro de la clé",
  module: "Accord de clé",
  modules: {
    tgdh: "TGDH (arbre de paires de clés)",
    str: "STR (chaîne de paires de clés)",
    bd: "BD (anneau, tous participent)",
    gdh: "GDH (chacun complète la clé à son tour)",
    ckd: "CKD (un membre distribue la clé)",
    majority: "Majorité (de personnes nommées)",
  },
  authenticity: "Preuve des dessins",
  authenticities: {
    signature: "la signature de chaque personne",
    group: "la clé du groupe seulement",
  },
  cipher: "Chiffrement des messages et des fichiers",
  postQuantum: "Ordinateurs quantiques",
  postQuantumModes: {
    off: "pourraient lire un jour ce qui est enregistré maintenant",
    hybrid: "ne peuvent pas lire ce qui est enregistré maintenant (ML-KEM-768)",
  },
  since: "Sécurisé depuis",
  notYet: "pas encore",
  age: "Âge de la clé",
  refresh: "Renouveler la clé maintenant",
  refreshing: "Une nouvelle clé est en cours d’accord…",
  code: "Code de la conférence",
  codeHint:
    "Tout le monde dans la conférence voit les mêmes chiffres. Comparez-les en personne ou par téléphone : s’ils diffèrent, quelqu’un s’est interposé.",
  codeWaiting: "Affiché quand la clé est convenue.",
  members: "Peuvent lire ceci",
  details: "Détails",
  verifyName: "Vérifier {{name}}",
  allVerified: "Vous avez vérifié tout le monde ici : personne ne s’est interposé.",
  verifiedOf_one:
    "Vous avez vérifié {{count}} personne sur {{all}}. Les noms des autres sont ceux qu’ils ont saisis. Vérifiez-les pour être sûr.",
  verifiedOf_other:
    "Vous avez vérifié {{count}} personnes sur {{all}}. Les noms des autres sont ceux qu’ils ont saisis. Vérifiez-les pour être sûr.",
  log: "Ce qui s’est passé",
  close: "Fermer",
  view: {
    created: "Vous participez. Clé {{epoch}}.",
    newKey: "Nouvelle clé, numéro {{epoch}}.",
    refreshed: "Les mêmes personnes, une nouvelle clé, numéro {{epoch}}.",
  },
  transferred: "Vous avez reçu le tableau de {{name}}. Il peut manquer quelque chose.",
  merged: "De nouveau connecté avec {{names}}. Les modifications des deux côtés ont été fusionnées.",
  somebody: "quelqu’un",
  times: "({{count}} fois)",
  codes: {
    "fingerprint-mismatch":
      "Une connexion à {{name}} a été refusée : son certificat n’était pas le bon. Quelqu’un a peut-être essayé de s’interposer.",
    "forged-signal": "Une demande de connexion avec une fausse signature a été ignorée.",
    "bad-association": "Une connexion qui n’a pas pu prouver qu’elle venait de {{name}} a été refusée.",
    "bad-credential": "Un message avec une fausse signature, attribué à {{name}}, a été ignoré.",
    "bad-frame": "Des données mal formées de {{name}} ont été ignorées.",
    obstruction: "{{name}} retarde les autres et est mis à l’écart un moment. Un mauvais réseau peut en être la cause.",
    equivocation:
      "{{name}} a envoyé des versions différentes d’un même message à différentes personnes, et les a signées toutes.",
    "contradicting-host":
      "{{name}} a pris des décisions contradictoires comme hôte, et n’est plus hôte. Demandez à un autre hôte s’il faut l’exclure.",
    divergence: "{{name}} a reçu autre chose que vous. On ne sait pas laquelle des deux versions est fausse.",
    "failed-confirmation": "{{name}} n’a pas pu prouver avoir la même clé. Une nouvelle clé est en cours d’accord.",
    "agreement-fault": "{{name}} n’a pas respecté les règles de l’accord de clé. Il est répété.",
    undecryptable: "Un message de {{name}} n’a pas pu être déchiffré et a été ignoré.",
    "changed-key":
      "Attention : quelqu’un utilise le nom {{name}}, mais pas la clé de la personne que vous avez vérifiée ou que vous connaissez ici. Comparez les codes avant de lui faire confiance.",
    "altered-verifications":
      "La liste des personnes que vous avez vérifiées a été modifiée par quelqu’un d’autre et n’est pas utilisée. Vérifiez-les de nouveau.",
    "unexpected-history":
      "{{name}} a tenté d’envoyer d’anciens messages ou dessins au mauvais moment. Ils ont été ignorés.",
    "foreign-author": "{{name}} a envoyé des messages de personnes que nul n’avait fait entrer. Ils ont été ignorés.",
    "invalid-content": "Un dessin non valide de {{name}} a été ignoré.",
    "bad-statement": "{{name}} a envoyé une fausse décision d’hôte. Elle a été ignorée.",
    "beyond-role": "{{name}} a tenté ce que son rôle ne permet pas. Cela a été ignoré.",
    "handling-failed": "Quelque chose de {{name}} n’a pas pu être traité et a été ignoré. La conférence continue.",
    flooding: "{{name}} envoie plus que cet appareil n’accepte. Une partie arrive plus tard ou est laissée de côté.",
    "not-admitted": "Quelqu’un a le lien mais n’est pas admis dans cette conférence, et n’a pas pu entrer.",
  },
}

export const keyPicture: Texts["keyPicture"] = {
  tree_one: "Arbre de clés à {{count}} feuille : {{nested}}.",
  tree_other: "Arbre de clés à {{count}} feuilles, haut de {{height}} niveaux : {{nested}}.",
  ring_one: "Anneau de clés de {{count}} personne : {{names}}.",
  ring_other: "Anneau de clés de {{count}} personnes : {{names}}.",
  chain_one: "Chaîne de clés de {{count}} personne : {{names}}.",
  chain_other: "Chaîne de clés de {{count}} personnes : {{names}}.",
  star_one: "Étoile de clés de {{count}} personne : {{name}}.",
  star_other: "Étoile de clés de {{count}} personnes, autour de {{name}}.",
  quorum_one: "Faite par {{count}} personne nommée : {{names}}.",
  quorum_other: "Faite par {{of}} des {{count}} personnes nommées : {{names}}.",
  newOf: "Nouveau avec le dernier changement : {{names}}.",
  new: "Nouveau avec le dernier changement",
  contributed: "A contribué à cette clé",
  about: {
    tree: "Chaque fourche est une clé que seules partagent les personnes à sa droite ; la plus à gauche devient celle de la conférence.",
    ring: "Chacun partage une clé avec ses deux voisins ; toutes ensemble forment celle de la conférence.",
    chain: "Les parts des personnes sont entrées dans la clé de haut en bas.",
    star: "La personne du haut a fait la clé, et l’a donnée à chacun des autres.",
    quorum: "Plus de la moitié des personnes nommées font la clé. Les autres la reçoivent en arrivant.",
  },
}
