import type { Texts } from "../en/index.ts"

export const certificates: Texts["certificates"] = {
  authority: "Organización",
  authorityFile: "Certificado de la autoridad de la organización (archivo)",
  authorityHint:
    "Solo pueden entrar personas con un certificado de esta autoridad. Tú también necesitas uno: impórtalo en Ajustes.",
  authorityMissing: "Elige la autoridad cuyas personas pueden entrar.",
  chosen: "Has elegido {{name}}.",
  title: "Certificado de una organización",
  hint: "Para conferencias en las que solo pueden entrar personas de una organización. Envía a su autoridad una solicitud, que contiene tu nombre y tu clave pública. Recibirás un certificado.",
  held: "Como {{name}}, por {{authority}}, hasta el {{date}}",
  request: "Guardar una solicitud",
  requested: "La solicitud se ha guardado en un archivo. Entrégaselo a la autoridad.",
  certificateFile: "Certificado que has recibido (archivo)",
  import: "Importar el certificado",
  imported: "El certificado se guarda con esta identidad.",
  by: "Certificado por {{name}}",
}
