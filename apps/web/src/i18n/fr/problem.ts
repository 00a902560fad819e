import type { Texts } from "../en/index.ts"

export const nowhere: Texts["nowhere"] = {
  title: "Il n’y a pas de page ici",
  hint: "L’adresse contient une erreur, ou la page n’existe plus. Si vous avez été invité, ouvrez de nouveau le lien entier.",
}

export const insecure: Texts["insecure"] = {
  title: "Cette adresse n’est pas chiffrée",
  why: "Les navigateurs ne laissent une page chiffrer qu’à une adresse https. Sans elle, n’importe qui en chemin pourrait modifier cette page.",
  ask: "Demandez l’adresse https à la personne qui gère ce serveur.",
  open: "Ouvrir {{address}}",
  own: "Je gère ce serveur",
  here: "Sur l’ordinateur du serveur, ouvrez {{address}} : les navigateurs font confiance à une page du même ordinateur.",
  elsewhere:
    "Les autres appareils ont besoin de https. Placez devant le serveur un proxy inverse avec un certificat, et donnez son adresse à PUBLIC_ORIGIN. Le fichier docs/self-hosting.md montre comment.",
}

export const problem: Texts["problem"] = {
  title: "Cela n’a pas fonctionné",
  titles: {
    "invalid-link": "Ce lien ne fonctionne pas",
    "unknown-conference": "Ce lien ne fonctionne pas",
    "descriptor-mismatch": "N’entrez pas",
    "missing-module": "Il faut un autre programme",
    "not-admitted": "Vous ne pouvez pas entrer",
    "no-invitation": "Ce lien n’est pas complet",
    "conference-over": "Cette conférence est terminée",
    removed: "Vous avez été exclu",
    refused: "L’entrée vous a été refusée",
  },
  endedByHost: "Un hôte a mis fin à cette conférence ({{time}}).",
  unanswered: "Personne n’a répondu qu’elle continue.",
  remains: "Vous pouvez encore enregistrer ce que vous avez vu, tant que vous ne quittez pas cette page.",
  remainsKept:
    "Vous pouvez l’enregistrer maintenant. Elle reste aussi sur cet appareil, dans « Mes conférences », jusqu’à ce que vous l’y oubliiez.",
  deleted: "La copie de cette conférence sur cet appareil a été supprimée.",
  saveBoard: "Enregistrer le tableau",
  saveChat: "Enregistrer la conversation",
  openCopy: "Ouvrir la copie",
  openCopyHere: "Ouvrir la copie de cet appareil",
  retries: "Cette page réessaie d’elle-même dès que le serveur répond.",
  retry: "Réessayer",
  toStart: "Aller à la page d’accueil",
  codes: {
    "not-deleted":
      "La copie de cette conférence sur cet appareil n’a pas pu être supprimée. Oubliez-la dans « Mes conférences » ou, si elle n’y figure pas, supprimez les données de ce site dans le navigateur.",
    "invalid-argument":
      "Le nom ou un réglage n’a pas été accepté. Choisissez un nom plus court sans caractères spéciaux et réessayez.",
    "invalid-link":
      "Ce lien est endommagé. Demandez-le de nouveau et copiez-le en entier, avec tout ce qui suit le signe #.",
    "invalid-card": "Une des cartes n’a pas pu être lue. Retirez-la et collez-la de nouveau.",
    "roster-too-long":
      "Cette liste d’invités est trop longue. Retirez quelques personnes, ou celles dont le nom est très long.",
    "named-twice": "Deux cartes de la liste sont d’une même personne, qui a changé de nom. Retirez-en une.",
    "bad-certificate": "Ce certificat est inutilisable. Demandez-en un autre à l’autorité de votre organisation.",
    "certificate-superseded":
      "L’annuaire contient une inscription plus récente de vous, d’un autre appareil ou sous un autre nom. Retirez-vous de l’annuaire, puis inscrivez-vous de nouveau.",
    "certificate-refused":
      "Le serveur n’accepte pas votre certificat. Réglez la date et l’heure de cet appareil, puis réessayez.",
    "proof-refused": "Le serveur n’a pas accepté la preuve que c’est bien vous. Vérifiez votre connexion et réessayez.",
    "wrong-origin":
      "Ce serveur est configuré pour une autre adresse que celle de votre navigateur. Ouvrez sa propre adresse, ou demandez à la personne qui le gère.",
    "certificate-mismatch":
      "Ce serveur dit qu’un autre certificat est le vôtre. Ne le croyez pas. Retirez-vous de l’annuaire, et prévenez la personne qui gère ce serveur.",
    "not-admitted":
      "Vous n’êtes pas sur la liste des invités de cette conférence, ou vous n’avez pas le certificat qu’elle exige. Demandez à la personne qui vous a invité.",
    "not-permitted": "Vous n’avez pas le droit de faire cela ici. Demandez à un hôte de cette conférence.",
    "no-invitation":
      "Il manque à ce lien sa partie secrète, celle qui suit le signe #. La personne qui l’a envoyé a sans doute copié la barre d’adresse. Demandez-lui d’appuyer sur « Copier le lien » dans la conférence et de vous envoyer ce lien.",
    "unknown-conference":
      "Le serveur ne connaît pas cette conférence. Elle est peut-être finie depuis longtemps, ou le lien contient une faute : demandez-le de nouveau.",
    "descriptor-mismatch":
      "Le serveur a montré une autre conférence que celle de ce lien. Il essaie peut-être de vous tromper. Prévenez la personne qui vous a invité.",
    "missing-module":
      "Cette conférence utilise un chiffrement que ce programme n’a pas. Demandez à la personne qui vous a invité quel programme utiliser.",
    "not-yet-open": "Cette conférence n’est pas encore ouverte. Réessayez quand elle le sera.",
    "conference-over": "Cette conférence est terminée. Commencez-en une nouvelle pour vous retrouver.",
    "server-unreachable": "Le serveur est injoignable. Vérifiez votre connexion et réessayez.",
    "other-server-version":
      "Cette page et le serveur ont des versions différentes. Rechargez la page. Si cela ne suffit pas, le serveur doit être mis à jour.",
    "server-refused": "Le serveur est trop occupé ou n’accepte pas cela pour le moment. Réessayez dans une minute.",
    "server-full":
      "Ce serveur n’a plus de place pour des inscriptions ou des conférences. Réessayez plus tard, ou demandez à la personne qui le gère.",
    "already-open":
      "Cette conférence est déjà ouverte dans un autre onglet de ce navigateur. Continuez là-bas, ou fermez l’autre onglet et réessayez.",
    "opened-elsewhere":
      "Cette conférence a été ouverte avec votre identité sur un autre appareil ou dans un autre navigateur. Continuez là-bas, ou réessayez pour la reprendre ici.",
    "storage-unavailable":
      "Le navigateur ne laisse cette page rien enregistrer, et sans cela elle ne peut garder aucune clé. Autorisez les données du site ou quittez la navigation privée, puis réessayez.",
    "unsupported-browser":
      "Il manque à ce navigateur quelque chose dont le chiffrement a besoin. Utilisez une version actuelle de Firefox, Chrome, Edge ou Safari.",
    "call-full": "L’appel est complet : 24 personnes y participent. Réessayez quand quelqu’un l’aura quitté.",
    "too-large": "C’est trop volumineux pour être envoyé. Réduisez-en la taille.",
    "too-soon": "Une nouvelle clé vient d’être convenue. Réessayez dans 15 secondes.",
    "wrong-passphrase":
      "Ce n’est pas la phrase secrète de cette sauvegarde. Vérifiez les majuscules et les espaces, et réessayez.",
    "damaged-backup":
      "Ce fichier n’est pas une sauvegarde d’identité, ou il est endommagé. Utilisez-en une autre copie.",
    "newer-backup":
      "Cette sauvegarde vient d’une version plus récente de Keymoot. Rechargez la page pour la mettre à jour, ou utilisez un serveur plus récent.",
    "file-unavailable":
      "Personne ici n’a ce fichier en ce moment. La partie que vous avez reçue est conservée. Demandez qu’il soit partagé de nouveau.",
    "file-altered": "Ce n’est pas le fichier qui a été partagé. Il a été supprimé. Demandez un nouveau partage.",
    "storage-full": "Il n’y a pas assez d’espace pour ce fichier sur cet appareil. Libérez-en et réessayez.",
    "unseen-readers": "Quelqu’un est arrivé avant l’envoi. Regardez qui est ici, puis réessayez.",
    "queue-full": "Trop de choses attendent d’être envoyées. Attendez un instant et réessayez.",
    "no-answer": "Personne ici n’a répondu. Réessayez plus tard.",
    closed: "La conférence a été fermée sur cet appareil.",
    aborted: "C’est annulé.",
    removed: "Un hôte vous a exclu de cette conférence. Vous ne pouvez pas revenir.",
    refused: "Un hôte ne vous a pas laissé entrer. Vous pourrez ouvrir le lien et redemander dans une minute.",
    "engine-failed":
      "Quelque chose s’est cassé dans cette page, et la conférence a été arrêtée par prudence. Rechargez la page pour revenir.",
    internal: "Il s’est produit quelque chose d’inattendu. Rechargez la page.",
  },
}
