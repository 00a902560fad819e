import type { Texts } from "../en/index.ts"

export const people: Texts["people"] = {
  title_one: "{{count}} persona en la conferencia",
  title_other: "{{count}} personas en la conferencia",
  you: "tú",
  otherDevice: "tu otro dispositivo",
  idle: "No está en la página",
  hand: "Mano levantada",
  agreeing: "Se está acordando una clave nueva con estas personas.",
  sameName: "Otra persona aquí tiene el mismo nombre o uno muy parecido. Verifica, para saber quién es quién.",
  copy: "Esto es una copia en este dispositivo. Nadie está conectado a ella.",
  invite: "Todavía no hay nadie más aquí. Envía el enlace a alguien.",
  lost: "Sin contacto ahora: {{names}}.",
  byServer: "Conexión a través del servidor, que no puede leer nada. Es más lenta.",
  byMember: "Conexión a través de otra persona de aquí, que no puede leer nada. Es más lenta.",
  verify: "Verificar",
  codes: "Códigos",
  more: "Más sobre {{name}}",
  verified: "Verificado por ti",
  unverified: "Sin verificar por ti",
  changedKey: "No es la clave que verificaste",
}

export const alarm: Texts["alarm"] = {
  changedKey:
    "Cuidado: no es la persona que verificaste como {{name}}, sino alguien con otra clave: un impostor, o la misma persona en un dispositivo nuevo.",
  past: "Cuidado: hay mensajes anteriores con el nombre {{name}}, pero escritos con una clave que no es la de la persona que verificaste o conoces aquí. No te fíes de ellos antes de preguntar a esa persona.",
  row: "No digas nada confidencial aquí antes de comparar los códigos. Si son iguales, verifica de nuevo a esta persona; si no, sal y queda con esa persona por otro enlace.",
  compare: "Comparar códigos",
  hide: "Ocultar esta advertencia",
}

export const verify: Texts["verify"] = {
  title: "Verificar a {{name}}",
  how: "Queda con {{name}}, o habla por teléfono de modo que reconozcas la voz. Si en ambas pantallas se ve lo mismo aquí, no hay nadie en medio. Los dígitos y las palabras dicen lo mismo: basta con uno de los dos.",
  forms: "Formas de comparar",
  form: { digits: "Dígitos", words: "Palabras", scan: "Escanear" },
  wordsHint: "Hay que leerlas en voz alta por turnos, en este orden.",
  qr: "Código para que lo escanee {{name}}",
  coming: "Calculando los códigos…",
  qrHint: "Deja que {{name}} escanee este código, o escanea el de la pantalla de {{name}}.",
  scan: "Escanear el código de {{name}}",
  showMine: "Mostrar mi código",
  cameraPicture: "Imagen de la cámara",
  camera: {
    refused:
      "El navegador no deja que esta página use la cámara. Permítelo en los ajustes de la página, o compara los dígitos.",
    missing: "No se ha encontrado ninguna cámara. Compara los dígitos o las palabras.",
    busy: "Otro programa está usando la cámara. Ciérralo e inténtalo de nuevo, o compara los dígitos.",
  },
  scanned: {
    notACode: "Esto no es un código de verificación de Keymoot. Busca el que está en «Verificar», «Escanear».",
    otherPerson:
      "Este código es de otras dos personas. Si es de la pantalla de {{name}} y está hecho para ti, hay alguien en medio: no te fíes de esta conexión.",
  },
  same: "Son iguales",
  notSame: "Son distintos",
  differs:
    "Entonces puede haber alguien en medio, entre tú y {{name}}. No digas nada confidencial aquí. Comprueba que cada persona ha mirado el código de la otra; si aún son distintos, sal y envía un enlace nuevo por otra vía.",
  again: "Comparar de nuevo",
  stop: "No verificar",
  done: "Has verificado a {{name}}. Esto se mantiene en cada conferencia, salvo con el nombre de otra persona que hayas verificado.",
  withdraw: "Retirar la verificación",
  notStored: "No se ha podido guardar en este dispositivo, así que no cuenta. Libera espacio e inténtalo de nuevo.",
  full: "No puedes verificar a más personas. Retira antes la verificación de alguien que esté contigo en esta conferencia o en otra.",
  goneTitle: "Verificar",
  gone: "Esta persona ha salido de la conferencia.",
  close: "Cerrar",
}
