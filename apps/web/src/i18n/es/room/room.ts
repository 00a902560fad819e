import type { Texts } from "../../en/index.ts"

export const room: Texts["room"] = {
  lower: "Bajar la mano de {{name}}",
  lowerMine: "Bajar mi mano",
  lowered: "{{name}} ha bajado tu mano.",
  peopleWaiting_one: "Personas, {{count}} espera",
  peopleWaiting_other: "Personas, {{count}} esperan",
  role: {
    host: "{{name}} ya es anfitrión.",
    editor: "{{name}} ya puede escribir y dibujar.",
    viewer: "{{name}} ahora solo puede mirar.",
  },
  myRole: {
    host: "Ahora eres anfitrión. Puedes dejar entrar a personas, expulsarlas y cambiar su rol.",
    editor: "Ya puedes escribir y dibujar.",
    viewer: "Ahora solo puedes mirar. Un anfitrión puede cambiarlo.",
  },
  newHand: "Alguien ha levantado la mano en la conferencia",
}
