import type { Texts } from "../en/index.ts"

export const hosts: Texts["hosts"] = {
  roles: { host: "Anfitrión", editor: "Editor", viewer: "Espectador" },
  role: "Rol",
  rank: "Anfitrión {{rank}}",
  rankHint: "Un anfitrión puede cambiar el rol de los anfitriones con un número mayor, y expulsarlos.",
  higher: "{{name}} es un anfitrión de mayor rango que tú. No puedes cambiar el rol de {{name}}.",
  roleOfHigher: "Un anfitrión de mayor rango que tú ha fijado este rol.",
  remove: "Expulsar",
  removeTitle: "¿Expulsar a {{name}}?",
  removeHint:
    "Esta persona no podrá leer nada nuevo ni volver. Los demás reciben una clave nueva y un enlace de invitación nuevo. El enlace antiguo no deja entrar a nadie sin un anfitrión.",
  removeNow: "Expulsar para siempre",
  cancel: "Cancelar",
  knocks: "Esperan para entrar",
  admit: "Dejar entrar",
  admitName: "Dejar entrar a {{name}}",
  refuse: "Rechazar",
  refuseName: "Rechazar a {{name}}",
  failed: "No ha funcionado. Puede que un anfitrión de mayor rango haya decidido otra cosa.",
  knockNews_one: "{{names}} quiere unirse.",
  knockNews_other: "{{names}} quieren unirse.",
  knocksMany: "{{count}} personas quieren unirse.",
  showKnocks: "Mostrarlas",
  waiting: "Esperando a un anfitrión",
  waitingHint:
    "Un anfitrión de esta conferencia tiene que dejarte entrar. Hasta entonces, solo los anfitriones ven tu nombre.",
  waitingAlone:
    "Ahora no te ve ningún anfitrión, y solo un anfitrión puede dejarte entrar. Deja esta página abierta hasta que te vea un anfitrión. O pregunta a la persona que te envió el enlace.",
  noHost:
    "No hay ningún anfitrión aquí, así que nadie nuevo puede entrar. Puedes continuar. Para reunirte con otras personas, empieza otra conferencia y envíales su enlace.",
  makeHost: "Nombrar anfitrión a {{name}}",
  handedOver_one: "{{names}} ya es anfitrión y puede dejar entrar a otras personas.",
  handedOver_other: "{{names}} ya son anfitriones y pueden dejar entrar a otras personas.",
  writeToHost: "Escribir al anfitrión",
  writeTo: "Escribir a {{name}}",
  write: "Enviar",
  talk: "Mensajes durante la espera",
  you: "Tú:",
  aHost: "Anfitrión:",
  waitForAnswer: "Espera a que un anfitrión responda.",
  notSent: "No se ha enviado. Puede que ahora no haya ningún anfitrión aquí: inténtalo de nuevo.",
  said: "El anfitrión ha escrito: {{text}}",
  stopWaiting: "Dejar de esperar",
  unvouched:
    "Ningún anfitrión ha confirmado esta conferencia en la última hora. Podría estar aquí alguien expulsado. No digas nada confidencial hasta que venga un anfitrión.",
  viewing: "Aquí solo puedes mirar. Un anfitrión puede dejarte escribir y dibujar.",
}
