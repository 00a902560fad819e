import type { Texts } from "../../en/index.ts"

export const timer: Texts["timer"] = {
  title: "Temporizador",
  hint: "Todos lo ven. Todos los que pueden dibujar pueden cambiarlo.",
  minutes_one: "{{count}} minuto",
  minutes_other: "{{count}} minutos",
  length: "Minutos",
  lengthNeeded: "Escribe un número del 1 al {{count}}.",
  start: "Iniciar el temporizador",
  pause: "Pausar",
  resume: "Continuar",
  clear: "Quitar el temporizador",
  left: "Temporizador: quedan {{time}}",
  paused: "Temporizador en pausa: quedan {{time}}",
  over: "El temporizador ha terminado.",
}
