import type { Texts } from "../en/index.ts"

export const certificates: Texts["certificates"] = {
  authority: "Organisation",
  authorityFile: "Zertifikat der Zertifizierungsstelle (Datei)",
  authorityHint:
    "Nur wer ein Zertifikat dieser Stelle hat, kann hinein, auch Sie. Ihres lesen Sie unter Einstellungen ein.",
  authorityMissing: "Wählen Sie die Stelle, deren Leute hinein dürfen.",
  chosen: "{{name}} ist gewählt.",
  title: "Zertifikat einer Organisation",
  hint: "Für Konferenzen, in die nur die Leute einer Organisation dürfen. Deren Zertifizierungsstelle bekommt von Ihnen einen Antrag mit Ihrem Namen und öffentlichen Schlüssel und gibt Ihnen ein Zertifikat.",
  held: "Als {{name}}, von {{authority}}, bis {{date}}",
  request: "Antrag speichern",
  requested: "Der Antrag wurde als Datei gespeichert. Geben Sie ihn der Zertifizierungsstelle.",
  certificateFile: "Erhaltenes Zertifikat (Datei)",
  import: "Zertifikat einlesen",
  imported: "Das Zertifikat gehört jetzt zu dieser Identität.",
  by: "Zertifiziert von {{name}}",
}
