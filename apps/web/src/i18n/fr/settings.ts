import type { Texts } from "../en/index.ts"

export const settings: Texts["settings"] = {
  title: "Paramètres",
  theme: "Thème",
  themes: { system: "Comme le système", light: "Clair", dark: "Sombre" },
  language: "Langue",
  byBrowser: "Comme le navigateur",
  notifications: "Me signaler les messages et les personnes qui attendent",
  notificationsHint: "Seulement quand vous ne voyez pas cette page. Le message n’est jamais montré.",
  notificationsRefused: "Le navigateur n’autorise pas les notifications. Changez cela dans les réglages de la page.",
  notificationsMissing:
    "Ce navigateur ne laisse pas la page vous avertir. Sur un iPhone, ajoutez d’abord la page à l’écran d’accueil.",
  sounds: "Y ajouter un son bref",
  soundsHint: "Pour les messages, seulement quand vous ne voyez pas le chat.",
  fetchSmallFiles: "Télécharger automatiquement les petits fichiers partagés",
  fetchSmallFilesHint:
    "Jusqu’à {{size}} chacun, pour que vous les ayez encore quand la personne qui les a partagés est partie.",
  newMessage: "Nouveau message dans la conférence",
  newKnock: "Quelqu’un souhaite entrer dans la conférence",
  answered: "Un hôte a répondu à votre demande d’entrer",
  offer: {
    question: "Voulez-vous savoir que quelqu’un attend quand vous regardez ailleurs ?",
    sound: "Jouer un son",
    notification: "Me notifier",
    decline: "Non, merci",
  },
  bench: "Mesures de performance",
  notices: "Licences des logiciels inclus",
  version: "Version {{version}}",
}

export const identity: Texts["identity"] = {
  title: "Mon identité",
  inUse: "Quittez la conférence pour changer d’identité.",
  none: "Pas encore d’identité. Vous en recevez une en commençant ou en rejoignant une conférence, ou créez-en une ci-dessous.",
  key: "Clé {{digits}}…",
  name: "Nom de cette identité",
  rename: "Renommer",
  remove: "Supprimer cette identité",
  removeHint:
    "Supprimer {{name}} de cet appareil ? Sans sauvegarde, sa clé est définitivement perdue, et personne ne pourra plus vous reconnaître par elle. Les conversations, tableaux et fichiers de ses conférences sont aussi supprimés de cet appareil. Une sauvegarde ne les contient pas, et il n’en existe peut-être aucune autre copie.",
  removeNow: "Supprimer",
  working: "Un instant…",
  full: "Cet appareil ne peut pas garder plus d’identités. Supprimez-en une, puis réessayez.",
  inConference:
    "Cette identité est dans une conférence, peut-être dans un autre onglet. Quittez d’abord la conférence.",
  new: "Nouvelle identité, avec une sauvegarde si vous voulez",
  newHint:
    "Une sauvegarde n’est possible qu’avec une nouvelle identité : plus tard, sa clé ne peut pas quitter ce navigateur. Toute personne qui a le fichier et la phrase secrète peut se faire passer pour vous : gardez-les en lieu sûr.",
  newName: "Nom",
  passphrase: "Phrase secrète de la sauvegarde (vide : pas de sauvegarde)",
  again: "Encore la phrase secrète",
  short: "Au moins {{count}} caractères : quatre mots que personne ne devinerait.",
  different: "Les deux phrases secrètes diffèrent.",
  create: "Créer l’identité",
  saved: "La sauvegarde a été enregistrée dans un fichier. Gardez-le en lieu sûr avec sa phrase secrète.",
  import: "Importer une identité d’une sauvegarde",
  file: "Fichier de sauvegarde",
  itsPassphrase: "Phrase secrète",
  restore: "Importer",
  restored: "C’est fait. Vous utilisez maintenant cette identité.",
}

export const shortcuts: Texts["shortcuts"] = {
  title: "Clavier",
  chat: "Écrire un message",
  people: "Personnes",
  security: "Sécurité",
  board: "Aller au tableau blanc",
  hand: "Lever ou baisser la main",
  microphone: "Allumer ou éteindre le micro, en appel",
  camera: "Allumer ou éteindre la caméra, en appel",
  talk: "Parler tant que vous la tenez, en appel",
  space: "Espace",
  diagnostics: "Diagnostic",
  help: "Afficher cette aide",
  ofBoard: "Sur le tableau blanc, ? affiche ses propres touches.",
}
