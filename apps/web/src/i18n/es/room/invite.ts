import type { Texts } from "../../en/index.ts"

export const invite: Texts["invite"] = {
  title: "Invitar a personas",
  alone: "Solo tú estás aquí.",
  nobody:
    "Ahora no hay nadie más aquí. Quizá vengan más tarde, o un anfitrión ha terminado esta conferencia antes de tiempo. Pregunta a la persona que te invitó.",
  send: "Envía la invitación a las personas con las que quieres reunirte. Usa «Copiar enlace» y no la barra de direcciones: la dirección sola no deja entrar a nadie.",
  begin: "Empieza a escribir y dibujar. Quienes se unan después también lo ven.",
  beginUnseen: "Empieza a dibujar. Quienes se unan después ven la pizarra, y solo los mensajes nuevos.",
  return:
    "Esta conferencia dura hasta: {{time}}. Puedes cerrar esta página y volver desde «Mis conferencias», en la página de inicio.",
  show: "Mostrar el enlace y un código QR",
  copy: "Copiar invitación",
  copied: "Invitación copiada",
  label: "Texto de la invitación",
  calendar: "Archivo de calendario",
  summary: "Conferencia de Keymoot",
  text: "Tienes una invitación a una conferencia cifrada. Abre este enlace para unirte:",
  textAbout: "Tienes una invitación a una conferencia cifrada: {{title}}. Abre este enlace para unirte:",
  textOpens: "Se abre: {{time}}.",
  textHint: "Copia el enlace entero, con todo lo que sigue al signo #.",
  who: {
    link: "Cualquiera que tenga este enlace puede unirse. Compártelo con cuidado.",
    approval: "Quienes tengan este enlace esperan hasta que un anfitrión les deje entrar.",
    roster: "Solo pueden unirse las personas nombradas para esta conferencia.",
    ca: "Solo pueden unirse las personas con un certificado de la organización.",
  },
}
