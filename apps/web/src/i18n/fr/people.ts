import type { Texts } from "../en/index.ts"

export const people: Texts["people"] = {
  title_one: "{{count}} personne dans la conférence",
  title_other: "{{count}} personnes dans la conférence",
  you: "vous",
  otherDevice: "votre autre appareil",
  idle: "N’est pas devant la page",
  hand: "Main levée",
  agreeing: "Une nouvelle clé est en cours d’accord avec ces personnes.",
  sameName: "Quelqu’un d’autre ici porte le même nom ou un nom très semblable. Vérifiez pour savoir qui est qui.",
  copy: "Ceci est une copie sur cet appareil. Personne n’y est connecté.",
  invite: "Personne d’autre n’est encore ici. Envoyez le lien à quelqu’un.",
  lost: "Injoignable en ce moment : {{names}}.",
  byServer: "Connexion par le serveur, qui ne peut rien lire. C’est plus lent.",
  byMember: "Connexion par une autre personne d’ici, qui ne peut rien lire. C’est plus lent.",
  verify: "Vérifier",
  codes: "Codes",
  more: "Plus sur {{name}}",
  verified: "Vérifié par vous",
  unverified: "Non vérifié par vous",
  changedKey: "Pas la clé que vous avez vérifiée",
}

export const alarm: Texts["alarm"] = {
  changedKey:
    "Attention : ce n’est pas {{name}} que vous avez vérifié, mais quelqu’un avec une autre clé : un imposteur, ou la même personne sur un nouvel appareil.",
  past: "Attention : des messages antérieurs portent le nom {{name}}, mais ont été écrits avec une autre clé que celle de la personne que vous avez vérifiée ou que vous connaissez ici. Ne vous y fiez pas avant d’avoir demandé à cette personne.",
  row: "Ne dites rien de confidentiel ici avant d’avoir comparé les codes. S’ils sont identiques, vérifiez de nouveau cette personne ; sinon, quittez, et retrouvez-vous par un autre lien.",
  compare: "Comparer les codes",
  hide: "Masquer cet avertissement",
}

export const verify: Texts["verify"] = {
  title: "Vérifier {{name}}",
  how: "Rencontrez {{name}}, ou parlez au téléphone pour reconnaître la voix. Si vous voyez tous deux la même chose ici, personne ne s’est interposé. Les chiffres et les mots disent la même chose : l’un des deux suffit.",
  forms: "Façons de comparer",
  form: { digits: "Chiffres", words: "Mots", scan: "Scanner" },
  wordsHint: "Lisez-les à voix haute à tour de rôle, dans cet ordre.",
  qr: "Code à faire scanner par {{name}}",
  coming: "Calcul des codes…",
  qrHint: "Faites scanner ce code par {{name}}, ou scannez celui de l’écran de {{name}}.",
  scan: "Scanner le code de {{name}}",
  showMine: "Afficher mon code",
  cameraPicture: "Image de la caméra",
  camera: {
    refused:
      "Le navigateur ne laisse pas cette page utiliser la caméra. Autorisez-la dans les réglages de la page, ou comparez les chiffres.",
    missing: "Aucune caméra trouvée. Comparez plutôt les chiffres ou les mots.",
    busy: "Un autre programme utilise la caméra. Fermez-le et réessayez, ou comparez les chiffres.",
  },
  scanned: {
    notACode: "Ce n’est pas un code de vérification Keymoot. Cherchez celui de « Vérifier », « Scanner ».",
    otherPerson:
      "Ce code est celui de deux autres personnes. S’il vient de l’écran de {{name}} et vous est destiné, quelqu’un s’est interposé : ne vous fiez pas à cette connexion.",
  },
  same: "Ils sont identiques",
  notSame: "Ils diffèrent",
  differs:
    "Quelqu’un s’est peut-être interposé entre vous et {{name}}. Ne dites rien de confidentiel ici. Assurez-vous d’avoir chacun regardé le code de l’autre ; s’ils diffèrent encore, quittez, et envoyez un nouveau lien par une autre voie.",
  again: "Comparer de nouveau",
  stop: "Ne pas vérifier",
  done: "Vous avez vérifié {{name}}. Cela vaut dans toutes les conférences, sauf sous le nom d’une autre personne que vous avez vérifiée.",
  withdraw: "Retirer la vérification",
  notStored:
    "Cela n’a pas pu être enregistré sur cet appareil et ne compte donc pas. Libérez de l’espace et réessayez.",
  full: "Vous ne pouvez pas vérifier plus de personnes. Retirez d’abord la vérification de quelqu’un qui est avec vous dans cette conférence ou dans une autre.",
  goneTitle: "Vérifier",
  gone: "Cette personne a quitté la conférence.",
  close: "Fermer",
}
