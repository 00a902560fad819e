import type { Texts } from "../../en/index.ts"

export const talk: Texts["talk"] = {
  reply: "Répondre",
  replyingTo: "Réponse à {{name}}",
  noReply: "Ne pas répondre à ce message",
  quoteMissing: "Le message auquel celui-ci répond n’est pas sur cet appareil.",
  goToQuote: "Répond à {{name}} : {{text}}",
  mention: "Mentionner quelqu’un",
  mentionedBy_one: "{{names}} vous a mentionné.",
  mentionedBy_other: "{{names}} vous ont mentionné.",
  mentionedByMany: "{{count}} personnes vous ont mentionné.",
  newMention: "Quelqu’un vous a mentionné dans la conférence",
  show: "Afficher",
  search: "Rechercher dans le chat",
  found: "{{at}} sur {{all}}",
  nothingFound: "Rien trouvé",
  older: "Résultat plus ancien",
  newer: "Résultat plus récent",
  closeSearch: "Fermer la recherche",
}
