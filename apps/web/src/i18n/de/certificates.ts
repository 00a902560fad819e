import type { Texts } from "../en/index.ts"

export const certificates: Texts["certificates"] = {
  authority: "Organisation",
  authorityFile: "Zertifikat der Zertifizierungsstelle (Datei)",
  authorityHint:
    "Nur wer ein Zertifikat dieser Stelle hat, kann teilnehmen. Auch Sie brauchen eines: Importieren Sie es unter Einstellungen.",
  authorityMissing: "Wählen Sie die Stelle, deren Leute teilnehmen dürfen.",
  chosen: "{{name}} ist gewählt.",
  title: "Zertifikat einer Organisation",
  hint: "Für Konferenzen, an denen nur Personen einer Organisation teilnehmen dürfen. Schicken Sie der Zertifizierungsstelle einen Antrag mit Ihrem Namen und öffentlichen Schlüssel. Sie bekommen ein Zertifikat zurück.",
  held: "Als {{name}}, von {{authority}}, bis {{date}}",
  request: "Antrag speichern",
  requested: "Der Antrag wurde als Datei gespeichert. Geben Sie ihn der Zertifizierungsstelle.",
  certificateFile: "Erhaltenes Zertifikat (Datei)",
  import: "Zertifikat importieren",
  imported: "Das Zertifikat gehört jetzt zu dieser Identität.",
  by: "Zertifiziert von {{name}}",
}
