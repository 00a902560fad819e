import type { Texts } from "../en/index.ts"

export const protection: Texts["protection"] = {
  title: "Qué está protegido",
  content:
    "Las personas de una conferencia acuerdan una clave entre ellas. Con ella se cifran en el navegador los dibujos, los mensajes y los nombres, y la clave cambia cada vez que alguien entra o sale (solo «Mayoría» la mantiene para las personas nombradas).",
  server:
    "El servidor pone en contacto a las personas. Ve las direcciones de internet, el número de la conferencia, cuándo pasan los mensajes y cuánto ocupan. No puede leerlos, cambiarlos ni añadir a alguien sin que se vea.",
  link: "Cualquiera que tenga el enlace puede unirse, salvo que la conferencia sea para personas nombradas o para una organización, o que un anfitrión admita a las personas una por una. Dalo solo a quienes quieras ver allí, y comprueba quién está en la conferencia.",
  device:
    "Este dispositivo guarda una copia bloqueada, para que no se pierda nada al volver a cargar la página, hasta que salgas de la conferencia. Los navegadores no protegen lo que guardan de alguien que pueda desbloquear tu dispositivo.",
  names:
    "Un nombre es lo que una persona ha escrito. Para saber con seguridad quién está, compara con esa persona el código de la conferencia, en persona o por teléfono.",
  limits:
    "Los miembros pueden copiar lo que ven. El servidor podría enviarte una página alterada: usa un servidor de confianza, o ten el tuyo propio.",
  close: "Cerrar",
}
