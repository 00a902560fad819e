import type { Texts } from "../en/index.ts"

export const security: Texts["security"] = {
  title: "Seguridad",
  epoch: "Número de la clave",
  module: "Acuerdo de clave",
  modules: {
    tgdh: "TGDH (árbol de pares de claves)",
    str: "STR (cadena de pares de claves)",
    bd: "BD (anillo, todos participan)",
    gdh: "GDH (cada persona aporta por turno)",
    ckd: "CKD (un miembro reparte la clave)",
    majority: "Mayoría (de personas nombradas)",
  },
  authenticity: "Los dibujos los demuestra",
  authenticities: {
    signature: "la firma de cada persona",
    group: "solo la clave del grupo",
  },
  cipher: "Cifrado de mensajes y archivos",
  postQuantum: "Ordenadores cuánticos",
  postQuantumModes: {
    off: "podrían leer algún día lo que se graba ahora",
    hybrid: "no pueden leer lo que se graba ahora (ML-KEM-768)",
  },
  since: "Seguro desde",
  notYet: "todavía no",
  age: "Edad de la clave",
  refresh: "Renovar la clave ahora",
  refreshing: "Se está acordando una clave nueva…",
  code: "Código de la conferencia",
  codeHint:
    "Todos en la conferencia ven los mismos dígitos. Compáralos con los demás en persona o por teléfono: si son distintos, hay alguien en medio.",
  codeWaiting: "Se muestra cuando la clave esté acordada.",
  members: "Pueden leer esto",
  details: "Detalles",
  verifyName: "Verificar a {{name}}",
  allVerified: "Has verificado a todas las personas aquí: no hay nadie en medio.",
  verifiedOf_one:
    "Has verificado a {{count}} de {{all}}. Los nombres de los demás son los que han escrito. Verifícalos para tener seguridad.",
  verifiedOf_other:
    "Has verificado a {{count}} de {{all}}. Los nombres de los demás son los que han escrito. Verifícalos para tener seguridad.",
  log: "Qué ha pasado",
  close: "Cerrar",
  view: {
    created: "Ya participas. Clave {{epoch}}.",
    newKey: "Clave nueva, número {{epoch}}.",
    refreshed: "Las mismas personas, una clave nueva, número {{epoch}}.",
  },
  transferred: "Has recibido la pizarra de {{name}}. Puede que falte algo.",
  merged: "De nuevo hay conexión con {{names}}. Se han unido los cambios de ambos lados.",
  somebody: "alguien",
  times: "({{count}} veces)",
  codes: {
    "fingerprint-mismatch":
      "Se ha rechazado una conexión con {{name}}: el certificado no era el suyo. Puede que alguien haya intentado ponerse en medio.",
    "forged-signal": "Se ha ignorado una petición de conexión con una firma falsa.",
    "bad-association": "Se ha rechazado una conexión que no ha podido demostrar que era de {{name}}.",
    "bad-credential": "Se ha ignorado un mensaje con una firma falsa, supuestamente de {{name}}.",
    "bad-frame": "Se han ignorado datos mal formados de {{name}}.",
    obstruction: "{{name}} retrasa a los demás y queda aparte un rato. La causa puede ser una mala red.",
    equivocation: "{{name}} ha enviado versiones distintas de un mismo mensaje a distintas personas, y las ha firmado.",
    "contradicting-host":
      "{{name}} ha tomado decisiones contradictorias como anfitrión y ya no lo es. Pregunta a otro anfitrión si conviene expulsar a esta persona.",
    divergence:
      "{{name}} ha recibido algo distinto de lo que has recibido tú. No se sabe cuál de las dos versiones es falsa.",
    "failed-confirmation":
      "{{name}} no ha podido demostrar que tiene la misma clave. Se está acordando una clave nueva.",
    "agreement-fault": "{{name}} no ha respetado las reglas del acuerdo de clave. Se está repitiendo.",
    undecryptable: "No se ha podido descifrar un mensaje de {{name}} y se ha ignorado.",
    "changed-key":
      "Cuidado: alguien usa el nombre {{name}}, pero no la clave de la persona que verificaste o conoces aquí. Compara los códigos antes de fiarte.",
    "altered-verifications":
      "Otra persona ha cambiado la lista de quienes has verificado, y ya no se usa. Verifica de nuevo a esas personas.",
    "unexpected-history":
      "{{name}} ha intentado enviar mensajes o dibujos anteriores en un momento indebido. Se han ignorado.",
    "foreign-author": "{{name}} ha enviado mensajes de personas a las que nunca se dejó entrar. Se han ignorado.",
    "invalid-content": "Se ha ignorado un dibujo no válido de {{name}}.",
    "bad-statement": "{{name}} ha enviado una decisión falsificada de un anfitrión. Se ha ignorado.",
    "beyond-role": "{{name}} ha intentado algo que su rol no permite. Se ha ignorado.",
    "handling-failed": "No se ha podido procesar algo de {{name}} y se ha ignorado. La conferencia continúa.",
    flooding: "{{name}} envía más de lo que este dispositivo acepta. Una parte llega más tarde o se omite.",
    "not-admitted": "Alguien tiene el enlace, pero no está admitido en esta conferencia y se ha quedado fuera.",
  },
}

export const keyPicture: Texts["keyPicture"] = {
  tree_one: "Árbol de claves con {{count}} hoja: {{nested}}.",
  tree_other: "Árbol de claves con {{count}} hojas y {{height}} niveles de altura: {{nested}}.",
  ring_one: "Anillo de claves de {{count}} persona: {{names}}.",
  ring_other: "Anillo de claves de {{count}} personas: {{names}}.",
  chain_one: "Cadena de claves de {{count}} persona: {{names}}.",
  chain_other: "Cadena de claves de {{count}} personas: {{names}}.",
  star_one: "Estrella de claves de {{count}} persona: {{name}}.",
  star_other: "Estrella de claves de {{count}} personas, alrededor de {{name}}.",
  quorum_one: "Hecha por {{count}} persona nombrada: {{names}}.",
  quorum_other: "Hecha por {{of}} de las {{count}} personas nombradas: {{names}}.",
  newOf: "Nuevo con el último cambio: {{names}}.",
  new: "Nuevo con el último cambio",
  contributed: "Ha contribuido a esta clave",
  about: {
    tree: "Cada bifurcación es una clave que solo comparten las personas a su derecha; la de más a la izquierda se convierte en la de la conferencia.",
    ring: "Cada persona comparte una clave con sus dos vecinas; todas juntas forman la de la conferencia.",
    chain: "Las aportaciones de las personas entraron en la clave de arriba abajo.",
    star: "La persona de arriba hizo la clave y se la dio a cada una de las demás.",
    quorum: "Más de la mitad de las personas nombradas hacen la clave. Las demás la reciben cuando llegan.",
  },
}
