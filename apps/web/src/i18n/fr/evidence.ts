import type { Texts } from "../en/index.ts"

export const evidence: Texts["evidence"] = {
  section: "Preuve",
  save: "Enregistrer comme preuve",
  saveHint:
    "Un fichier avec la conversation et le tableau, que chacun peut vérifier plus tard sans ce serveur. Il n’est pas chiffré.",
  ended: {
    copy: "Pour l’enregistrer comme preuve, ouvrez la copie sur cet appareil.",
    return: "Pour l’enregistrer comme preuve, revenez d’abord dans la conférence.",
    deleted:
      "Impossible de l’enregistrer comme preuve : les messages signés ont été supprimés de cet appareil lors de votre exclusion.",
  },
  savedWithout: {
    pictures: "Enregistré sans les images du tableau : avec elles, le fichier serait trop grand.",
    board: "Enregistré sans le tableau : avec lui, le fichier serait trop grand.",
  },
  omitted: {
    pictures: "La personne qui a enregistré ce fichier a omis les images du tableau à cause de leur taille.",
    board: "La personne qui a enregistré ce fichier a omis le tableau à cause de sa taille.",
    other: "La personne qui a enregistré ce fichier a omis : {{what}}",
  },
  check: "Vérifier un fichier de preuve",
  title: "Vérifier un fichier de preuve",
  lead: "Ouvrez le fichier de preuve d’une conversation. Cette page le vérifie sur cet appareil et n’envoie rien.",
  file: "Fichier de preuve",
  drop: "Vous pouvez aussi déposer le fichier ici.",
  checking: "Vérification du fichier…",
  unreadable: "Ce fichier n’a pas pu être lu. Choisissez-le à nouveau.",
  valid_one: "Valide : {{count}} message, signé par son auteur.",
  valid_other: "Valide : {{count}} messages, chacun signé par son auteur.",
  invalid: "Non valide.",
  faults: {
    size: "Le fichier est trop grand pour un fichier de preuve.",
    format: "Ce n’est pas un fichier de preuve de cette version, ou il a été coupé ou modifié.",
    conference: "La description de la conférence a été modifiée.",
    certificate:
      "Le certificat {{number}} a été modifié, n’est pas valide ou n’appartient à personne qui puisse écrire ici.",
    message: "Le message {{number}} n’est pas ce que son auteur a signé pour cette conférence.",
    order: "Le message {{number}} précède un message que son auteur avait déjà vu.",
    exporter: "Le fichier a été modifié après l’enregistrement, ou une personne hors de la conférence l’a enregistré.",
  },
  admissions: {
    link: "tous ceux qui avaient le lien",
    approval: "les personnes qu’un hôte a fait entrer, une par une",
    roster: "seulement les personnes nommées",
    ca: "seulement les membres d’une organisation",
  },
  savedAt: "Enregistré",
  people: "Personnes",
  peopleHint:
    "Chacun choisit son nom. Chaque personne trouve les premiers caractères de sa clé dans les paramètres, sous « Mon identité ». Comparez-les.",
  creator: "a démarré la conférence",
  exporter: "a enregistré ce fichier",
  messages: "Messages signés",
  messagesHint:
    "Signés par leurs auteurs. Seule la personne qui a enregistré ce fichier répond de l’ordre et des numéros sous chaque message.",
  place: "clé {{epoch}}, groupe {{view}}, numéro {{place}}",
  after: "après {{number}}",
  afterMissing: "après un message qui manque ici",
  passedOn: "reçu d’un autre membre",
  outdated: "le certificat de l’auteur n’était pas valide à ce moment",
  edited: "A changé un message en :",
  deleted: "A supprimé un message.",
  other: "Envoyé dans « {{channel}} » :",
  more: "Afficher plus de messages",
  documents: "Tableau et documents",
  documentsHint: "Seule la personne qui a enregistré ce fichier en répond. Ils peuvent être inexacts.",
  unproved: "Ce que cela ne prouve pas",
  unprovedList: {
    complete: "Qu’aucun message ne manque. La personne qui a enregistré le fichier peut en omettre.",
    order: "L’ordre des messages écrits en même temps, et les heures : chaque appareil a sa propre horloge.",
    delivery: "Qu’un message a atteint quelqu’un.",
    identity: "Qui est derrière un nom. Comparez les caractères avec la personne.",
    keys: "Qu’aucune clé n’a été volée avant l’enregistrement du fichier.",
    rest: "Les fichiers, les appels, et qui a dessiné quoi sur le tableau.",
  },
}
