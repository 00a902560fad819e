import type { Texts } from "../en/index.ts"

export const lock: Texts["lock"] = {
  name: "Seguridad",
  joining: "Buscando a los demás…",
  agreeing: "Acordando una clave…",
  waiting: "Esperando a más personas…",
  alone: "Solo tú estás aquí.",
  encrypted_one: "Cifrado. {{count}} persona puede leer esto.",
  encrypted_other: "Cifrado. {{count}} personas pueden leer esto.",
  verified_one: "{{count}} verificada",
  verified_other: "{{count}} verificadas",
}

export const bar: Texts["bar"] = {
  copyLink: "Copiar enlace",
  linkCopied: "Enlace copiado",
  copyByHand: "Copia este enlace",
  copyByHandHint: "El navegador no ha permitido copiar. Selecciona el enlace y cópialo tú.",
  leave: "Salir",
  chat: "Chat",
  chatUnread_one: "Chat, {{count}} mensaje sin leer",
  chatUnread_other: "Chat, {{count}} mensajes sin leer",
  people: "Personas",
  drawer: "Panel lateral",
  closeDrawer: "Cerrar",
  endsAt: "Fin: {{time}}",
  endedAt: "Terminó: {{time}}",
  closeCopy: "Cerrar",
}

export const banner: Texts["banner"] = {
  serverDown: "Servidor no disponible. La conferencia continúa, pero nadie nuevo puede unirse hasta que vuelva.",
  offline_one: "Parece que no tienes conexión: no se puede contactar ni con el servidor ni con {{names}}.",
  offline_other: "Parece que no tienes conexión: no se puede contactar ni con el servidor ni con {{names}}.",
  offlineAll: "Parece que no tienes conexión: no se puede contactar ni con el servidor ni con los demás.",
  receiving: "Recibiendo la pizarra de {{name}}…",
  receivingProgress: "Progreso",
  storageFailing:
    "Este dispositivo no ha podido guardar una copia de la conferencia. El contenido nuevo se pierde si cierras esta página antes de que otros lo tengan. Libera espacio.",
  outOfReach_one: "No se puede contactar con {{names}}.",
  outOfReach_other: "No se puede contactar con {{names}}.",
  outOfReachMany_one: "No se puede contactar con {{count}} persona.",
  outOfReachMany_other: "No se puede contactar con {{count}} personas.",
  hereAlone: "Solo tú estás aquí.",
  here_one: "Aquí: tú y {{count}} persona más.",
  here_other: "Aquí: tú y {{count}} personas más.",
  outOfReachHint: "Tus cambios se conservan y se unirán a los demás.",
  ending:
    "Esta conferencia termina en menos de {{count}} minutos ({{time}}). Su contenido se queda en este dispositivo.",
  copy: "Esta conferencia ha terminado. Ves la copia de este dispositivo, y nadie más ve lo que haces aquí.",
  copyMeanwhile:
    "No se pudo contactar con el servidor. Ves la copia de este dispositivo, y nadie más ve lo que haces aquí.",
  forgetCopy: "Olvidarla",
  tryNow: "Intentar ahora",
  trying: "Intentando…",
  hide: "Ocultar",
  boardUnsent:
    "No enviado: la pizarra ha crecido demasiado. Los demás no ven tu último cambio, o quienes se unan después no verán la pizarra. Guárdala en un archivo y continúa en una conferencia nueva.",
  boardUnshared_one:
    "No compartido: {{count}} elemento de la pizarra es demasiado grande. Los demás no lo ven como tú, y tus cambios se pierden si recargas la página. Hazlo más pequeño o elimínalo.",
  boardUnshared_other:
    "No compartidos: {{count}} elementos de la pizarra son demasiado grandes. Los demás no los ven como tú, y tus cambios se pierden si recargas la página. Hazlos más pequeños o elimínalos.",
  merged: "De nuevo hay conexión con {{names}}. Se han unido los cambios de ambos lados.",
  joining: "Buscando a los demás…",
  joiningHint: "Tus cambios se conservan y se compartirán.",
}

export const leave: Texts["leave"] = {
  title: "¿Salir ahora?",
  unsent_one: "{{count}} mensaje o cambio aún no se ha enviado. Se pierde si sales.",
  unsent_other: "{{count}} mensajes o cambios aún no se han enviado. Se pierden si sales.",
  files_one:
    "Puede que no todos hayan descargado {{count}} archivo grande que has compartido. Nadie podrá obtenerlo de ti cuando hayas salido.",
  files_other:
    "Puede que no todos hayan descargado {{count}} archivos grandes que has compartido. Nadie podrá obtenerlos de ti cuando hayas salido.",
  last: "No hay nadie más aquí. Al salir se eliminan la pizarra y la conversación de este dispositivo. Para seguir más tarde, cierra solo esta página.",
  copy: "Al salir se eliminan la pizarra y la conversación de este dispositivo. Para seguir más tarde, cierra solo esta página.",
  onlyHost:
    "No hay más anfitriones que tú. Cuando salgas, nadie podrá dejar entrar a otros. Nombra antes otro anfitrión.",
  stay: "Quedarse",
  leave: "Salir de todos modos",
}

export const news: Texts["news"] = {
  joined_one: "{{names}} se ha unido.",
  joined_other: "{{names}} se han unido.",
  returned_one: "{{names}} ha vuelto.",
  returned_other: "{{names}} han vuelto.",
  left_one: "{{names}} ha salido.",
  left_other: "{{names}} han salido.",
  lost: "Se ha perdido la conexión con {{names}}.",
  removed: "Un anfitrión ha expulsado a {{names}}.",
}

export const invitation: Texts["invitation"] = {
  show: "Mostrar código QR",
  title: "Invitación",
  qr: "El enlace de invitación como código QR",
}

export const ending: Texts["ending"] = {
  change: "{{said}}. Cambiar el final",
  latest: "Esta conferencia puede durar hasta: {{time}}.",
  longer_one: "{{count}} minuto más",
  longer_other: "{{count}} minutos más",
  hours_one: "{{count}} hora más",
  hours_other: "{{count}} horas más",
  early: "Terminada por un anfitrión",
  now: "Terminarla para todos",
  title: "¿Terminar esta conferencia para todos?",
  hint: "Todos salen al momento. La pizarra y la conversación se quedan en el dispositivo de cada persona, para guardarlas u olvidarlas.",
  late: "Preguntar a los demás si continúa",
  asking: "Preguntando a los demás si esta conferencia continúa…",
}
