import type { Texts } from "../en/index.ts"

export const start: Texts["start"] = {
  lead: "Un tableau blanc et un chat pour les personnes qui ont le lien. Seules les personnes de la conférence peuvent lire ce que vous dessinez et écrivez. Même ce serveur ne le peut pas.",
  name: "Votre nom",
  nameMissing: "Saisissez un nom, pour que les autres sachent qui vous êtes.",
  create: "Commencer une conférence",
  options: "Options",
  cryptography: "Cryptographie",
  cryptographyHint: "Comment la clé est faite. Vous n’avez rien à choisir ici.",
  majorityNames: "Nommez les personnes sous « Options », « Qui peut entrer ».",
  title: "Titre (visible par tous ceux qui ont le lien)",
  admission: "Qui peut entrer",
  admissions: {
    link: "tous ceux qui ont le lien",
    approval: "les personnes que je fais entrer, une par une",
    roster: "seulement les personnes que je nomme",
    ca: "seulement les membres d’une organisation",
  },
  history: "Les nouveaux voient",
  historyEverything: "tout depuis le début",
  historyFromJoin: "le tableau tel qu’il est, et les nouveaux messages",
  historyHints: {
    everything:
      "Les membres envoient les anciens messages aux nouveaux. Ils ne peuvent pas modifier un message, mais ils peuvent en omettre ou en changer l’ordre.",
    "from-join": "Les nouveaux ne reçoivent pas les anciens messages. Ils voient ce qui est sur le tableau blanc.",
  },
  keyAgreement: "Accord de clé",
  keyAgreementHints: {
    tgdh: "Le choix habituel : tous contribuent à la clé, et arriver ou partir reste rapide dans les grands groupes.",
    str: "Tous contribuent. Rejoindre coûte peu. Le départ d’une personne arrivée tôt prend plus de temps.",
    bd: "Tous contribuent à nouveau à chaque changement : peu de calculs, mais beaucoup de messages dans les grands groupes.",
    gdh: "Tous contribuent, l’un après l’autre : c’est plus long si plusieurs arrivent à la fois.",
    ckd: "Un membre fait la clé et la donne à chacun des autres : simple, mais personne d’autre ne contribue.",
    majority:
      "Pour des personnes nommées : la clé vient avec plus de la moitié d’entre elles, et les absents peuvent aussi la connaître.",
  },
  authenticity: "Ce qui prouve qui a dessiné",
  authenticityHints: {
    signature: "Le choix habituel : personne ne peut dessiner ou pointer sous le nom d’un autre.",
    group:
      "Pas plus rapide d’après nos mesures. Les membres pourraient dessiner ou pointer sous le nom des autres, et personne ne peut être spectateur. Les messages sont signés malgré tout.",
  },
  cipher: "Chiffrement",
  cipherHints: {
    "aes-256-gcm": "Rapide sur presque tous les appareils.",
    "chacha20-poly1305":
      "Tout aussi sûr. Convient aux appareils lents avec AES, comme certains anciens téléphones. Les appels gardent AES.",
    "aes-256-gcm-siv":
      "Protège encore les textes si des nombres aléatoires se répètent, par exemple sur un appareil copié. Plus lent, et d’autres programmes de cet appareil pourraient en apprendre plus. Les appels gardent AES-256-GCM.",
  },
  postQuantum: "Ordinateurs quantiques",
  postQuantumModes: { off: "pas de protection supplémentaire", hybrid: "protection supplémentaire (ML-KEM-768)" },
  postQuantumHints: {
    off: "Quelqu’un qui enregistre la conférence maintenant pourrait la lire avec un futur ordinateur quantique.",
    hybrid:
      "Ce qui est enregistré aujourd’hui reste secret pour les futurs ordinateurs quantiques. La clé demande un peu plus de données.",
  },
  duration: "Finit après",
  hours_one: "{{count}} heure",
  hours_other: "{{count}} heures",
  days_one: "{{count}} jour",
  days_other: "{{count}} jours",
  or: "ou",
  link: "Lien d’invitation",
  linkInvalid: "Ce lien d’invitation n’est pas complet. Copiez-le de nouveau, avec tout ce qui suit le signe #.",
  linkElsewhere: "Ce lien appartient à {{host}}. Ouvrez-le dans la barre d’adresse.",
  join: "Rejoindre",
  footer: "Chiffré de bout en bout. Le serveur voit qui se connecte et quand, pas ce que vous dites.",
  whatIsProtected: "Qu’est-ce qui est protégé ?",
  hideAddress: "Cacher mon adresse internet aux autres",
  hideAddressHint:
    "Tout passe par un relais, qui ne peut rien lire. C’est plus lent. Le serveur voit quand même votre adresse. Les appels ne fonctionnent que si le serveur a un relais pour eux.",
}

export const enter: Texts["enter"] = {
  title: "Vous êtes invité à une conférence",
  over: "Cette conférence est terminée",
  ended: "{{name}} a mis fin à cette conférence ({{time}}).",
  endedByYou: "Vous avez mis fin à cette conférence ({{time}}).",
  about: "Sujet",
  madeBy: "Créée par",
  you: "{{name}} (vous)",
  whoMay: "Qui peut entrer",
  newcomers: "Les nouveaux voient",
  opens: "Ouverture",
  ends: "Fin",
  looking: "Lecture de l’invitation…",
  unverified: "Non vérifié : le nom est ce que cette personne a saisi.",
  changedKey: "Attention : ce n’est pas {{name}} que vous avez vérifié, mais quelqu’un avec une autre clé.",
  policies: {
    link: "Tous ceux qui ont le lien.",
    approval: "Les personnes qui ont le lien et qu’un hôte fait entrer, une par une. Vous attendrez un hôte.",
    approvalByCreator: "Les personnes qui ont le lien et qu’un hôte fait entrer, une par une.",
    roster_one: "Seulement {{count}} personne nommée.",
    roster_other: "Seulement {{count}} personnes nommées.",
    ca: "Seulement les personnes certifiées par {{name}}.",
  },
  more: "Plus sur cette conférence",
  join: "Rejoindre",
  instead: "Commencer plutôt votre propre conférence",
}

export const working: Texts["working"] = {
  creating: "La conférence commence…",
  joining: "Connexion…",
  resuming: "Retour…",
  leaving: "Départ…",
}
