import type { Texts } from "../en/index.ts"

export const files: Texts["files"] = {
  attach: "Partager des fichiers",
  limit: "Un fichier peut faire 512 Mo au plus.",
  drop: "Déposez-le ici pour le partager avec tous dans la conférence, et avec personne d’autre.",
  dropPicture: "Déposez des images sur le tableau pour les y placer. Les grandes sont réduites.",
  picture: "Image {{name}}",
  openPicture: "Agrandir",
  save: "Enregistrer",
  saveNamed: "Enregistrer {{name}}",
  here: "sur cet appareil",
  kept: "{{size}} reçus",
  progress: "Téléchargement de {{name}}",
  percent: "{{percent}} %",
  waiting: "En attente de quelqu’un qui a ce fichier.",
  cancel: "Annuler",
  cancelNamed: "Annuler {{name}}",
  preparing: "Préparation de {{name}}",
  notShared: "{{name}} n’a pas été partagé.",
  notSharedMore_one: "{{name}} et {{count}} autre fichier n’ont pas été partagés.",
  notSharedMore_other: "{{name}} et {{count}} autres fichiers n’ont pas été partagés.",
  deleteHint:
    "Personne ne peut plus le télécharger, et il disparaît de cette conférence sur tous les appareils. Les personnes qui l’ont enregistré le gardent.",
  inChat: "[Fichier : {{name}}]",
}
