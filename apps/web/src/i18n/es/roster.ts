import type { Texts } from "../en/index.ts"

export const roster: Texts["roster"] = {
  people_one: "{{count}} persona además de ti",
  people_other: "{{count}} personas además de ti",
  card: "Pega la tarjeta de alguien",
  hint: "Cada persona encuentra su tarjeta en la página de inicio, en «Mi tarjeta para una lista de invitados», y te la envía. También necesita el enlace.",
  missing: "Añade la tarjeta de al menos otra persona.",
  invalid: "Esta tarjeta no está completa. Cópiala de nuevo, de la primera letra a la última.",
  twice: "{{name}} ya está en la lista.",
  renamed: "{{other}} ya está en la lista, como {{name}}. Quita esa entrada para usar la tarjeta nueva.",
  full: "En una lista de invitados caben {{max}} personas además de ti. Quita antes a alguien.",
  added: "{{name}} está en la lista.",
  removed: "{{name}} ya no está en la lista.",
  remove: "Quitar a {{name}} de la lista",
  myCard: "Mi tarjeta para una lista de invitados",
  myCardHint:
    "Algunas conferencias solo dejan entrar a las personas de su lista. Para ponerte en la lista, quien organiza necesita tu tarjeta: envíasela. Dice quién eres, con tu nombre y tu clave pública, y no contiene nada secreto.",
  copy: "Copiar mi tarjeta",
  copied: "Tarjeta copiada",
  copyFailed: "No se ha podido crear tu tarjeta. Permite que esta página guarde datos e inténtalo de nuevo.",
  cardOf: "Tarjeta de {{name}}",
  waiting_one:
    "Tiene que venir una persona más de la lista para que la conferencia pueda empezar. Tus cambios se conservan.",
  waiting_other:
    "Tienen que venir {{count}} personas más de la lista para que la conferencia pueda empezar. Tus cambios se conservan.",
  absent_one: "En la lista, pero no aquí: {{names}}.",
  absent_other: "En la lista, pero no aquí: {{names}}.",
  everybodyHere: "Todas las personas de la lista están aquí.",
  majority:
    "Las personas de la lista que no están también pueden conocer la clave. No cambia cuando alguien entra o sale.",
}

export const directory: Texts["directory"] = {
  title: "Dejar que otros me encuentren por mi nombre",
  hint: "Las personas de este servidor pueden entonces buscarte y ponerte en una lista de invitados, sin tu tarjeta.",
  listed: "Los demás te encuentran como {{name}}.",
  notListed: "No estás en el directorio de este servidor.",
  elsewhere:
    "Puede que siga en él otro dispositivo tuyo, o un nombre de hace tiempo. Para estar seguro, quítate del directorio.",
  publish: "Ponerme en el directorio",
  question:
    "{{server}} y cualquiera que le pregunte verán el nombre {{name}} y tu clave pública. Lo que dices en las conferencias sigue tan protegido como antes. ¿Poner tu nombre en el directorio?",
  yes: "Sí, publicar mi nombre",
  no: "No",
  withdraw: "Quitarme del directorio",
  retry: "Reintentar",
  find: "Buscar personas en el directorio de este servidor",
  name: "Principio del nombre",
  search: "Buscar",
  findHint:
    "Solo personas que se han puesto en el directorio. Cualquiera puede usar cualquier nombre: compara los primeros dígitos de la clave, o verifica a la persona en la conferencia.",
  nobody: "Nadie con este nombre está en el directorio.",
  found_one: "{{count}} persona encontrada",
  found_other: "{{count}} personas encontradas",
  results: "Personas encontradas",
  more: "Mostrar más",
  add: "Añadir a {{name}} a la lista de invitados",
  standings: {
    verified: "Verificado por ti",
    unverified: "Sin verificar · {{digits}}",
    "changed-key": "No es la clave que verificaste para este nombre · {{digits}}",
    unchecked: "Sin verificar: la respuesta del servidor es incompleta o incorrecta. Pide la tarjeta a esta persona.",
  },
  show: "Mostrar esta conferencia a las personas de la lista",
  showHint:
    "La encuentran en «Mis conferencias». El servidor ve tu nombre y que la has creado tú. Ellas ven tu nombre si estás en el directorio.",
  named: "Buscar conferencias que me nombran",
  namedHint: "El servidor ve tu nombre, y nombres que tuviste antes, cuando buscas.",
  notNamed: "Ninguna conferencia de este servidor te nombra.",
  namedList: "Conferencias que me nombran",
  by: "De {{name}}",
  bySomebody: "De alguien que no está en el directorio",
  frame: "De {{from}} a {{to}}",
  unsigned: "Sin verificar: lo dice el servidor, y ninguna firma lo demuestra.",
  askForLink: "Para entrar necesitas el enlace. Pídelo.",
  return: "Entrar",
}
