import type { Texts } from "../en/index.ts"

export const lock: Texts["lock"] = {
  name: "Sécurité",
  joining: "Recherche des autres…",
  agreeing: "Accord sur une clé…",
  waiting: "En attente d’autres personnes…",
  alone: "Vous êtes seul ici.",
  encrypted_one: "Chiffré. {{count}} personne peut lire ceci.",
  encrypted_other: "Chiffré. {{count}} personnes peuvent lire ceci.",
  verified_one: "{{count}} vérifiée",
  verified_other: "{{count}} vérifiées",
}

export const bar: Texts["bar"] = {
  copyLink: "Copier le lien",
  linkCopied: "Lien copié",
  copyByHand: "Copiez ce lien",
  copyByHandHint: "Le navigateur n’a pas autorisé la copie. Sélectionnez le lien et copiez-le vous-même.",
  leave: "Quitter",
  chat: "Chat",
  chatUnread_one: "Chat, {{count}} message non lu",
  chatUnread_other: "Chat, {{count}} messages non lus",
  people: "Personnes",
  drawer: "Panneau latéral",
  closeDrawer: "Fermer",
  endsAt: "Fin : {{time}}",
  endedAt: "Terminée : {{time}}",
  closeCopy: "Fermer",
}

export const banner: Texts["banner"] = {
  serverDown: "Serveur injoignable. La conférence continue, mais personne de nouveau ne peut entrer avant son retour.",
  offline_one: "Vous semblez hors ligne : ni le serveur ni {{names}} ne sont joignables.",
  offline_other: "Vous semblez hors ligne : ni le serveur ni {{names}} ne sont joignables.",
  offlineAll: "Vous semblez hors ligne : ni le serveur ni les autres ne sont joignables.",
  receiving: "Réception du tableau de {{name}}…",
  receivingProgress: "Progression",
  storageFailing:
    "Cet appareil n’a pas pu enregistrer une copie de la conférence. Le nouveau contenu est perdu si vous fermez cette page avant que d’autres l’aient. Libérez de l’espace.",
  outOfReach_one: "{{names}} est injoignable.",
  outOfReach_other: "{{names}} sont injoignables.",
  outOfReachMany_one: "{{count}} personne est injoignable.",
  outOfReachMany_other: "{{count}} personnes sont injoignables.",
  hereAlone: "Vous êtes seul ici.",
  here_one: "Vous et {{count}} autre personne êtes ici.",
  here_other: "Vous et {{count}} autres personnes êtes ici.",
  outOfReachHint: "Vos modifications sont conservées et seront fusionnées.",
  ending: "Cette conférence finit dans moins de {{count}} minutes ({{time}}). Son contenu reste sur cet appareil.",
  copy: "Cette conférence est terminée. Vous voyez la copie de cet appareil, et personne d’autre ne voit ce que vous faites ici.",
  copyMeanwhile:
    "Le serveur était injoignable. Vous voyez la copie de cet appareil, et personne d’autre ne voit ce que vous faites ici.",
  forgetCopy: "L’oublier",
  tryNow: "Essayer maintenant",
  trying: "Essai en cours…",
  hide: "Masquer",
  boardUnsent:
    "Non envoyé : le tableau blanc est devenu trop grand. Les autres ne voient pas votre dernière modification, ou ceux qui arrivent plus tard ne voient pas le tableau. Enregistrez-le dans un fichier et continuez dans une nouvelle conférence.",
  boardUnshared_one:
    "Non partagé : {{count}} élément du tableau est trop volumineux. Les autres ne le voient pas comme vous, et vos changements sont perdus si vous rechargez la page. Réduisez-le ou supprimez-le.",
  boardUnshared_other:
    "Non partagés : {{count}} éléments du tableau sont trop volumineux. Les autres ne les voient pas comme vous, et vos changements sont perdus si vous rechargez la page. Réduisez-les ou supprimez-les.",
  merged: "De nouveau connecté avec {{names}}. Les modifications des deux côtés ont été fusionnées.",
  joining: "Recherche des autres…",
  joiningHint: "Vos modifications sont conservées et seront partagées.",
}

export const leave: Texts["leave"] = {
  title: "Quitter maintenant ?",
  unsent_one: "{{count}} message ou modification n’est pas encore envoyé. Il est perdu si vous quittez.",
  unsent_other: "{{count}} messages ou modifications ne sont pas encore envoyés. Ils sont perdus si vous quittez.",
  files_one:
    "{{count}} gros fichier que vous avez partagé n’a peut-être pas été téléchargé par tous. Personne ne pourra plus l’obtenir de vous après votre départ.",
  files_other:
    "{{count}} gros fichiers que vous avez partagés n’ont peut-être pas été téléchargés par tous. Personne ne pourra plus les obtenir de vous après votre départ.",
  last: "Personne d’autre n’est ici. Quitter supprime le tableau et la conversation de cet appareil. Pour continuer plus tard, fermez plutôt cette page.",
  copy: "Quitter supprime le tableau et la conversation de cet appareil. Pour continuer plus tard, fermez plutôt cette page.",
  onlyHost:
    "Vous êtes le seul hôte. Après votre départ, personne ne pourra faire entrer les gens. Nommez d’abord un autre hôte.",
  stay: "Rester",
  leave: "Quitter quand même",
}

export const news: Texts["news"] = {
  joined_one: "{{names}} est arrivé.",
  joined_other: "{{names}} sont arrivés.",
  returned_one: "{{names}} est de retour.",
  returned_other: "{{names}} sont de retour.",
  left_one: "{{names}} est parti.",
  left_other: "{{names}} sont partis.",
  lost: "Connexion perdue avec {{names}}.",
  removed: "Un hôte a exclu {{names}}.",
}

export const invitation: Texts["invitation"] = {
  show: "Afficher le code QR",
  title: "Invitation",
  qr: "Le lien d’invitation sous forme de code QR",
}

export const ending: Texts["ending"] = {
  change: "{{said}}. Changer la fin",
  latest: "Fin au plus tard : {{time}}.",
  longer_one: "{{count}} minute de plus",
  longer_other: "{{count}} minutes de plus",
  hours_one: "{{count}} heure de plus",
  hours_other: "{{count}} heures de plus",
  early: "Terminée par un hôte",
  now: "Terminer pour tous",
  title: "Terminer cette conférence pour tous ?",
  hint: "Tout le monde quitte aussitôt. Le tableau et la conversation restent sur l’appareil de chacun, à enregistrer ou à oublier.",
  late: "Demander aux autres si elle continue",
  asking: "On demande aux autres si cette conférence continue…",
}
