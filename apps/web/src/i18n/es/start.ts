import type { Texts } from "../en/index.ts"

export const start: Texts["start"] = {
  lead: "Una pizarra y un chat para las personas que tienen el enlace. Solo las personas de la conferencia pueden leer lo que dibujas y escribes. Ni siquiera este servidor puede.",
  name: "Tu nombre",
  nameMissing: "Escribe un nombre, para que los demás sepan quién eres.",
  create: "Empezar una conferencia",
  options: "Opciones",
  cryptography: "Criptografía",
  cryptographyHint: "Cómo se hace la clave. Aquí no tienes que elegir nada.",
  majorityNames: "Nombra a las personas en «Opciones», «Quién puede entrar».",
  title: "Título (lo ve cualquiera que tenga el enlace)",
  admission: "Quién puede entrar",
  admissions: {
    link: "cualquiera que tenga el enlace",
    approval: "personas que dejo entrar, una por una",
    roster: "solo personas que nombro",
    ca: "solo personas de una organización",
  },
  history: "Quien llega después ve",
  historyEverything: "todo desde el principio",
  historyFromJoin: "la pizarra como está y los mensajes nuevos",
  historyHints: {
    everything:
      "Los miembros envían los mensajes anteriores a quienes llegan. No pueden cambiar un mensaje, pero pueden omitir algunos o cambiar el orden.",
    "from-join": "Quienes llegan no reciben los mensajes anteriores. Ven lo que hay en la pizarra.",
  },
  keyAgreement: "Acuerdo de clave",
  keyAgreementHints: {
    tgdh: "Lo habitual: todos contribuyen a la clave, y entrar y salir sigue siendo rápido en grupos grandes.",
    str: "Todos contribuyen. Unirse cuesta poco. Tarda más cuando sale alguien que entró pronto.",
    bd: "Todos contribuyen de nuevo en cada cambio: poco que calcular, pero muchos mensajes en grupos grandes.",
    gdh: "Todos contribuyen, uno tras otro: tarda más cuando llegan varios a la vez.",
    ckd: "Un miembro hace la clave y se la da a cada uno de los demás: simple, pero nadie más contribuye.",
    majority:
      "Para personas nombradas: la clave se hace con más de la mitad de ellas, y quienes no están también pueden conocerla.",
  },
  authenticity: "Qué demuestra quién ha dibujado",
  authenticityHints: {
    signature: "Lo habitual: nadie puede dibujar ni señalar con el nombre de otra persona.",
    group:
      "No es más rápido según nuestras mediciones. Los miembros podrían dibujar o señalar con el nombre de otros, y nadie puede ser espectador. Aun así, los mensajes se firman.",
  },
  cipher: "Cifrado",
  cipherHints: {
    "aes-256-gcm": "Rápido en casi todos los dispositivos.",
    "chacha20-poly1305":
      "Igual de seguro. Conviene a dispositivos lentos con AES, como algunos teléfonos antiguos. Las llamadas siguen con AES.",
    "aes-256-gcm-siv":
      "Protege los textos aunque se repitan números aleatorios, por ejemplo en un dispositivo copiado. Es más lento, y otros programas de este dispositivo podrían averiguar más. Las llamadas siguen con AES-256-GCM.",
  },
  postQuantum: "Ordenadores cuánticos",
  postQuantumModes: { off: "sin protección adicional", hybrid: "protección adicional (ML-KEM-768)" },
  postQuantumHints: {
    off: "Alguien que grabe la conferencia ahora podría leerla con un futuro ordenador cuántico.",
    hybrid:
      "Lo que se graba hoy sigue siendo secreto para los futuros ordenadores cuánticos. La clave ocupa algunos datos más.",
  },
  duration: "Termina tras",
  hours_one: "{{count}} hora",
  hours_other: "{{count}} horas",
  days_one: "{{count}} día",
  days_other: "{{count}} días",
  or: "o",
  link: "Enlace de invitación",
  linkInvalid: "Este enlace de invitación no está completo. Cópialo de nuevo, con todo lo que sigue al signo #.",
  linkElsewhere: "Este enlace es de {{host}}. Ábrelo en la barra de direcciones.",
  join: "Unirse",
  footer: "Cifrado de extremo a extremo. El servidor ve quién se conecta y cuándo, no lo que dices.",
  whatIsProtected: "¿Qué está protegido?",
  hideAddress: "Ocultar mi dirección de internet a los demás",
  hideAddressHint:
    "Todo pasa por un intermediario, que no puede leerlo. Es más lento. El servidor sigue viendo tu dirección. Las llamadas solo funcionan si el servidor tiene un intermediario para ellas.",
}

export const enter: Texts["enter"] = {
  title: "Te han invitado a una conferencia",
  over: "Esta conferencia ha terminado",
  ended: "{{name}} ha terminado esta conferencia ({{time}}).",
  endedByYou: "Has terminado esta conferencia ({{time}}).",
  about: "Tema",
  madeBy: "Creada por",
  you: "{{name}} (tú)",
  whoMay: "Quién puede entrar",
  newcomers: "Quien llega después ve",
  opens: "Se abre",
  ends: "Termina",
  looking: "Leyendo la invitación…",
  unverified: "Sin verificar: el nombre es lo que esa persona ha escrito.",
  changedKey: "Cuidado: no es la persona que verificaste como {{name}}, sino alguien con otra clave.",
  policies: {
    link: "Cualquiera que tenga el enlace.",
    approval:
      "Las personas que tienen el enlace y a las que un anfitrión deja entrar, una por una. Esperarás a un anfitrión.",
    approvalByCreator: "Las personas que tienen el enlace y a las que un anfitrión deja entrar, una por una.",
    roster_one: "Solo {{count}} persona nombrada.",
    roster_other: "Solo {{count}} personas nombradas.",
    ca: "Solo personas certificadas por {{name}}.",
  },
  more: "Más sobre esta conferencia",
  join: "Unirse",
  instead: "Empezar mejor una conferencia propia",
}

export const working: Texts["working"] = {
  creating: "Empezando la conferencia…",
  joining: "Entrando…",
  resuming: "Volviendo…",
  leaving: "Saliendo…",
}
