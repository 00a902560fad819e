import type { Texts } from "../en/index.ts"

export const settings: Texts["settings"] = {
  title: "Ajustes",
  theme: "Tema",
  themes: { system: "Como el sistema", light: "Claro", dark: "Oscuro" },
  language: "Idioma",
  byBrowser: "Como el navegador",
  notifications: "Avisarme de los mensajes y de las personas que esperan",
  notificationsHint: "Solo mientras no puedas ver esta página. Los avisos nunca muestran el mensaje.",
  notificationsRefused: "El navegador no permite las notificaciones. Cámbialo en los ajustes de la página.",
  notificationsMissing:
    "Este navegador no deja que la página te avise. En un iPhone, añade primero la página a la pantalla de inicio.",
  sounds: "Reproducir un sonido breve con los avisos",
  soundsHint: "Con los mensajes, solo mientras no puedas ver el chat.",
  fetchSmallFiles: "Descargar automáticamente los archivos pequeños",
  fetchSmallFilesHint:
    "Hasta {{size}} cada uno, para que aún los tengas cuando haya salido la persona que los compartió.",
  newMessage: "Mensaje nuevo en la conferencia",
  newKnock: "Alguien quiere unirse a la conferencia",
  answered: "Un anfitrión ha respondido a tu petición de unirte",
  offer: {
    question: "¿Quieres saber que alguien espera mientras miras otra cosa?",
    sound: "Reproducir un sonido",
    notification: "Notificarme",
    decline: "No, gracias",
  },
  bench: "Mediciones de rendimiento",
  notices: "Licencias del software incluido",
  version: "Versión {{version}}",
}

export const identity: Texts["identity"] = {
  title: "Mi identidad",
  inUse: "Sal de la conferencia para cambiar tu identidad.",
  none: "Todavía ninguna. Recibes una cuando empiezas una conferencia o te unes a ella, o puedes crear una abajo.",
  key: "Clave {{digits}}…",
  name: "Nombre de esta identidad",
  rename: "Cambiar nombre",
  remove: "Eliminar esta identidad",
  removeHint:
    "¿Eliminar {{name}} de este dispositivo? Sin una copia de seguridad, su clave se pierde para siempre, y nadie podrá volver a reconocerte por ella. También se borran de este dispositivo los chats, las pizarras y los archivos de sus conferencias. Una copia de seguridad no los contiene, y puede que no exista otra copia.",
  removeNow: "Eliminar",
  working: "Un momento…",
  full: "Este dispositivo no puede guardar más identidades. Elimina una de ellas e inténtalo de nuevo.",
  inConference: "Esta identidad está en una conferencia, quizá en otra pestaña. Sal primero de la conferencia.",
  new: "Identidad nueva, con copia de seguridad si quieres",
  newHint:
    "Solo puedes hacer una copia de seguridad junto con una identidad nueva: después, su clave no puede salir de este navegador. Cualquiera que tenga el archivo y la frase secreta puede hacerse pasar por ti: guarda bien ambos.",
  newName: "Nombre",
  passphrase: "Frase secreta para la copia de seguridad (vacía: sin copia)",
  again: "Repite la frase secreta",
  short: "Al menos {{count}} caracteres: cuatro palabras que nadie adivinaría.",
  different: "Las dos frases secretas son distintas.",
  create: "Crear identidad",
  saved: "La copia de seguridad se ha guardado en un archivo. Guárdalo con su frase secreta en un lugar seguro.",
  import: "Importar una identidad de una copia de seguridad",
  file: "Archivo de la copia de seguridad",
  itsPassphrase: "Frase secreta",
  restore: "Importar",
  restored: "Hecho. Ahora usas esta identidad.",
}

export const shortcuts: Texts["shortcuts"] = {
  title: "Teclado",
  chat: "Escribir un mensaje",
  people: "Personas",
  security: "Seguridad",
  board: "Ir a la pizarra",
  hand: "Levantar o bajar mi mano",
  microphone: "Encender o apagar el micrófono, en una llamada",
  camera: "Encender o apagar la cámara, en una llamada",
  talk: "Hablar mientras la mantienes pulsada, en una llamada",
  space: "Espacio",
  diagnostics: "Diagnóstico",
  help: "Mostrar esta ayuda",
  ofBoard: "En la pizarra, ? muestra sus propias teclas.",
}
