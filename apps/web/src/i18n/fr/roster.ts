import type { Texts } from "../en/index.ts"

export const roster: Texts["roster"] = {
  people_one: "{{count}} personne en plus de vous",
  people_other: "{{count}} personnes en plus de vous",
  card: "Collez la carte de quelqu’un",
  hint: "Chacun trouve sa carte sur la page d’accueil, sous « Ma carte pour une liste d’invités », et vous l’envoie. Il leur faut aussi le lien.",
  missing: "Ajoutez la carte d’au moins une autre personne.",
  invalid: "Cette carte n’est pas complète. Copiez-la de nouveau, de la première à la dernière lettre.",
  twice: "{{name}} est déjà sur la liste.",
  renamed:
    "{{other}} est déjà sur la liste, sous le nom {{name}}. Retirez cette entrée pour utiliser la nouvelle carte.",
  full: "Une liste d’invités contient au plus {{max}} personnes en plus de vous. Retirez d’abord quelqu’un.",
  added: "{{name}} est sur la liste.",
  removed: "{{name}} n’est plus sur la liste.",
  remove: "Retirer {{name}} de la liste",
  myCard: "Ma carte pour une liste d’invités",
  myCardHint:
    "Certaines conférences ne laissent entrer que les personnes de leur liste. Pour vous y mettre, l’organisateur a besoin de votre carte : envoyez-la-lui. Elle dit qui vous êtes, par votre nom et votre clé publique, et ne contient rien de secret.",
  copy: "Copier ma carte",
  copied: "Carte copiée",
  copyFailed: "Votre carte n’a pas pu être créée. Autorisez cette page à enregistrer des données, et réessayez.",
  cardOf: "Carte de {{name}}",
  waiting_one:
    "Il faut encore une personne de la liste pour que la conférence commence. Vos modifications sont conservées.",
  waiting_other:
    "Il faut encore {{count}} personnes de la liste pour que la conférence commence. Vos modifications sont conservées.",
  absent_one: "Sur la liste, mais pas ici : {{names}}.",
  absent_other: "Sur la liste, mais pas ici : {{names}}.",
  everybodyHere: "Toutes les personnes de la liste sont ici.",
  majority:
    "Les personnes de la liste qui sont absentes peuvent aussi connaître la clé. Elle ne change pas quand quelqu’un arrive ou part.",
}

export const directory: Texts["directory"] = {
  title: "Permettre aux autres de me trouver par mon nom",
  hint: "Les personnes sur ce serveur peuvent alors vous chercher et vous mettre sur une liste d’invités, sans votre carte.",
  listed: "Les autres vous trouvent sous le nom {{name}}.",
  notListed: "Vous n’êtes pas dans l’annuaire de ce serveur.",
  elsewhere:
    "Un autre de vos appareils y est peut-être encore, ou un ancien nom. Pour en être sûr, retirez-vous de l’annuaire.",
  publish: "M’inscrire dans l’annuaire",
  question:
    "{{server}} et toute personne qui l’interroge verront le nom {{name}} et votre clé publique. Ce que vous dites dans les conférences reste aussi protégé qu’avant. Inscrire votre nom dans l’annuaire ?",
  yes: "Oui, publier mon nom",
  no: "Non",
  withdraw: "Me retirer de l’annuaire",
  retry: "Réessayer",
  find: "Chercher des personnes dans l’annuaire de ce serveur",
  name: "Début du nom",
  search: "Chercher",
  findHint:
    "Seulement les personnes qui se sont inscrites. N’importe qui peut prendre n’importe quel nom : comparez les premiers chiffres de la clé, ou vérifiez-les dans la conférence.",
  nobody: "Personne de ce nom n’est dans l’annuaire.",
  found_one: "{{count}} personne trouvée",
  found_other: "{{count}} personnes trouvées",
  results: "Personnes trouvées",
  more: "Afficher la suite",
  add: "Ajouter {{name}} à la liste d’invités",
  standings: {
    verified: "Vérifié par vous",
    unverified: "Non vérifié · {{digits}}",
    "changed-key": "Pas la clé que vous avez vérifiée pour ce nom · {{digits}}",
    unchecked: "Non vérifié : la réponse du serveur est incomplète ou fausse. Demandez la carte à cette personne.",
  },
  show: "Montrer cette conférence aux personnes de la liste",
  showHint:
    "Elles la trouvent sous « Mes conférences ». Le serveur voit votre nom, et que vous l’avez créée. Elles voient votre nom si vous êtes dans l’annuaire.",
  named: "Chercher les conférences qui me nomment",
  namedHint: "Le serveur voit votre nom, et vos noms d’avant, quand vous cherchez.",
  notNamed: "Aucune conférence de ce serveur ne vous nomme.",
  namedList: "Conférences qui me nomment",
  by: "De {{name}}",
  bySomebody: "De quelqu’un qui n’est pas dans l’annuaire",
  frame: "Du {{from}} au {{to}}",
  unsigned: "Non vérifié : le serveur le dit, et aucune signature ne le prouve.",
  askForLink: "Pour entrer, il vous faut le lien. Demandez-le.",
  return: "Entrer",
}
