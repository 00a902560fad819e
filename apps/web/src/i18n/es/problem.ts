import type { Texts } from "../en/index.ts"

export const nowhere: Texts["nowhere"] = {
  title: "Aquí no hay ninguna página",
  hint: "La dirección tiene un error, o la página ya no existe. Si te han invitado, abre de nuevo el enlace completo.",
}

export const insecure: Texts["insecure"] = {
  title: "Esta dirección no está cifrada",
  why: "Los navegadores solo dejan que una página cifre en una dirección https. Sin ella, cualquiera en el camino podría cambiar esta página.",
  ask: "Pide la dirección https a la persona que gestiona este servidor.",
  open: "Abrir {{address}}",
  own: "Yo gestiono este servidor",
  here: "En el mismo equipo del servidor, abre {{address}}: los navegadores confían en una página que viene del mismo equipo.",
  elsewhere:
    "Los demás dispositivos necesitan https. Pon delante del servidor un proxy inverso con un certificado y asigna su dirección a PUBLIC_ORIGIN. El archivo docs/self-hosting.md explica cómo.",
}

export const problem: Texts["problem"] = {
  title: "No ha funcionado",
  titles: {
    "invalid-link": "Este enlace no funciona",
    "unknown-conference": "Este enlace no funciona",
    "descriptor-mismatch": "No entres",
    "missing-module": "Se necesita otro programa",
    "not-admitted": "No puedes entrar",
    "no-invitation": "Este enlace no está completo",
    "conference-over": "Esta conferencia ha terminado",
    removed: "Te han expulsado",
    refused: "No te han dejado entrar",
  },
  endedByHost: "Un anfitrión ha terminado esta conferencia ({{time}}).",
  unanswered: "Nadie ha respondido que continúe.",
  remains: "Todavía puedes guardar lo que has visto, hasta que dejes esta página.",
  remainsKept:
    "Puedes guardarla ahora. También se queda en este dispositivo, en «Mis conferencias», hasta que la olvides allí.",
  deleted: "La copia de esta conferencia en este dispositivo se ha eliminado.",
  saveBoard: "Guardar la pizarra",
  saveChat: "Guardar la conversación",
  openCopy: "Abrir la copia",
  openCopyHere: "Abrir la copia de este dispositivo",
  retries: "Esta página lo intenta de nuevo por sí sola en cuanto el servidor responda.",
  retry: "Reintentar",
  toStart: "Ir a la página de inicio",
  codes: {
    "not-deleted":
      "No se ha podido eliminar la copia de esta conferencia en este dispositivo. Olvídala en «Mis conferencias» o, si no aparece allí, elimina los datos de este sitio en el navegador.",
    "invalid-argument":
      "No se ha aceptado el nombre o un ajuste. Elige un nombre más corto sin caracteres especiales e inténtalo de nuevo.",
    "invalid-link": "Este enlace está dañado. Pídelo de nuevo y cópialo entero, con todo lo que sigue al signo #.",
    "invalid-card": "No se ha podido leer una de las tarjetas. Quítala y pégala de nuevo.",
    "roster-too-long":
      "Esta lista de invitados es demasiado larga. Quita a algunas personas, o a las de nombres muy largos.",
    "named-twice": "Dos tarjetas de la lista son de la misma persona, que cambió de nombre. Quita una de ellas.",
    "bad-certificate": "Este certificado no se puede usar. Pide otro a la autoridad de tu organización.",
    "certificate-superseded":
      "En el directorio hay una entrada tuya posterior, de otro dispositivo o con otro nombre. Quítate del directorio y vuelve a ponerte.",
    "certificate-refused":
      "El servidor no acepta tu certificado. Ajusta la fecha y la hora de este dispositivo e inténtalo de nuevo.",
    "proof-refused": "El servidor no ha aceptado la prueba de que eres tú. Comprueba tu conexión e inténtalo de nuevo.",
    "wrong-origin":
      "Este servidor está configurado para otra dirección que la de tu navegador. Abre su propia dirección, o pregunta a la persona que lo gestiona.",
    "certificate-mismatch":
      "Este servidor dice que otro certificado es el tuyo. No lo creas. Quítate del directorio y avisa a la persona que gestiona este servidor.",
    "not-admitted":
      "No estás en la lista de invitados de esta conferencia, o no tienes el certificado que exige. Pregunta a la persona que te invitó.",
    "not-permitted": "No tienes permiso para hacer esto aquí. Pregunta a un anfitrión de esta conferencia.",
    "no-invitation":
      "A este enlace le falta su parte secreta, la que sigue al signo #. Probablemente quien lo envió copió la barra de direcciones. Pídele que pulse «Copiar enlace» en la conferencia y que te envíe ese enlace.",
    "unknown-conference":
      "El servidor no conoce esta conferencia. Puede que terminara hace mucho, o que el enlace tenga un error: pide el enlace de nuevo.",
    "descriptor-mismatch":
      "El servidor ha mostrado una conferencia distinta de la de este enlace. Puede que intente engañarte. Avisa a la persona que te invitó.",
    "missing-module":
      "Esta conferencia usa un cifrado que este programa no tiene. Pregunta a la persona que te invitó qué programa usar.",
    "not-yet-open": "Esta conferencia aún no está abierta. Inténtalo de nuevo cuando lo esté.",
    "conference-over": "Esta conferencia ha terminado. Empieza una nueva para reunirte otra vez.",
    "server-unreachable": "No se puede contactar con el servidor. Comprueba tu conexión e inténtalo de nuevo.",
    "other-server-version":
      "Esta página y el servidor tienen versiones distintas. Vuelve a cargar la página. Si no ayuda, el servidor necesita una actualización.",
    "server-refused": "El servidor está demasiado ocupado o no acepta esto ahora. Inténtalo de nuevo en un minuto.",
    "server-full":
      "Este servidor no tiene sitio para más entradas o conferencias. Inténtalo más tarde, o pregunta a la persona que lo gestiona.",
    "already-open":
      "Esta conferencia ya está abierta en otra pestaña de este navegador. Continúa allí, o cierra esa pestaña e inténtalo de nuevo.",
    "opened-elsewhere":
      "Esta conferencia se ha abierto con tu identidad en otro dispositivo o en otro navegador. Continúa allí, o reintenta para recuperarla aquí.",
    "storage-unavailable":
      "El navegador no deja que esta página guarde nada, y sin eso no puede conservar una clave. Permite los datos de sitios o sal de la navegación privada e inténtalo de nuevo.",
    "unsupported-browser":
      "A este navegador le falta algo que el cifrado necesita. Usa una versión actual de Firefox, Chrome, Edge o Safari.",
    "call-full": "La llamada está completa: participan 24 personas. Inténtalo de nuevo cuando alguien haya salido.",
    "too-large": "Es demasiado grande para enviarse. Reduce el tamaño.",
    "too-soon": "Se acaba de acordar una clave nueva. Inténtalo de nuevo en 15 segundos.",
    "wrong-passphrase":
      "No es la frase secreta de esta copia de seguridad. Revisa las mayúsculas y los espacios e inténtalo de nuevo.",
    "damaged-backup": "Este archivo no es una copia de seguridad de una identidad, o está dañado. Usa otra copia.",
    "newer-backup":
      "Esta copia de seguridad se hizo con una versión más nueva de Keymoot. Vuelve a cargar la página para actualizarla, o usa un servidor más nuevo.",
    "file-unavailable":
      "Nadie aquí tiene este archivo ahora. La parte que has recibido se conserva. Pide que lo compartan de nuevo.",
    "file-altered": "Este no es el archivo que se compartió. Se ha eliminado. Pide que lo compartan de nuevo.",
    "storage-full": "No hay sitio para este archivo en este dispositivo. Libera espacio e inténtalo de nuevo.",
    "unseen-readers": "Alguien se unió antes de que esto se enviara. Mira quién está aquí e inténtalo de nuevo.",
    "queue-full": "Hay demasiado esperando a enviarse. Espera un momento e inténtalo de nuevo.",
    "no-answer": "Nadie aquí ha respondido. Inténtalo de nuevo más tarde.",
    closed: "La conferencia se ha cerrado en este dispositivo.",
    aborted: "Se ha cancelado.",
    removed: "Un anfitrión te ha expulsado de esta conferencia. No puedes volver.",
    refused: "Un anfitrión no te ha dejado entrar. Dentro de un minuto puedes abrir el enlace y volver a pedirlo.",
    "engine-failed":
      "Algo ha fallado en esta página, y la conferencia se ha detenido por seguridad. Vuelve a cargar la página para regresar.",
    internal: "Ha ocurrido algo inesperado. Vuelve a cargar la página.",
  },
}
