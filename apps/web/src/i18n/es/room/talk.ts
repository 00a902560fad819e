import type { Texts } from "../../en/index.ts"

export const talk: Texts["talk"] = {
  reply: "Responder",
  replyingTo: "Respuesta a {{name}}",
  noReply: "No responder a este mensaje",
  quoteMissing: "El mensaje al que responde este no está en este dispositivo.",
  goToQuote: "Responde a {{name}}: {{text}}",
  mention: "Mencionar a alguien",
  mentionedBy_one: "{{names}} te ha mencionado.",
  mentionedBy_other: "{{names}} te han mencionado.",
  mentionedByMany: "{{count}} personas te han mencionado.",
  newMention: "Alguien te ha mencionado en la conferencia",
  show: "Mostrar",
  search: "Buscar en el chat",
  found: "{{at}} de {{all}}",
  nothingFound: "Sin resultados",
  older: "Resultado anterior",
  newer: "Resultado más reciente",
  closeSearch: "Cerrar la búsqueda",
}
