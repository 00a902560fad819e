import type { Texts } from "../en/index.ts"

export const certificates: Texts["certificates"] = {
  authority: "Organisation",
  authorityFile: "Certificat de l’autorité de l’organisation (fichier)",
  authorityHint:
    "Seules les personnes qui ont un certificat de cette autorité peuvent entrer. Il vous en faut un aussi : importez-le dans les paramètres.",
  authorityMissing: "Choisissez l’autorité dont les membres peuvent entrer.",
  chosen: "{{name}} est choisie.",
  title: "Certificat d’une organisation",
  hint: "Pour les conférences réservées aux membres d’une organisation. Envoyez à son autorité une demande, qui contient votre nom et votre clé publique. Vous recevrez un certificat.",
  held: "En tant que {{name}}, par {{authority}}, jusqu’au {{date}}",
  request: "Enregistrer une demande",
  requested: "La demande a été enregistrée dans un fichier. Donnez-le à l’autorité.",
  certificateFile: "Certificat que vous avez reçu (fichier)",
  import: "Importer le certificat",
  imported: "Le certificat est conservé avec cette identité.",
  by: "Certifié par {{name}}",
}
