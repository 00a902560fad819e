import type { Texts } from "../en/index.ts"

export const security: Texts["security"] = {
  title: "Sicherheit",
  age: "Alter des Schlüssels",
  refresh: "Schlüssel jetzt erneuern",
  refreshing: "Ein neuer Schlüssel wird vereinbart…",
  epoch: "Nummer des Schlüssels",
  module: "Schlüsselvereinbarung",
  modules: {
    tgdh: "TGDH (Baum aus Schlüsselpaaren)",
    str: "STR (Kette aus Schlüsselpaaren)",
    bd: "BD (Ring, alle wirken mit)",
    gdh: "GDH (alle tragen nacheinander bei)",
    ckd: "CKD (ein Mitglied verteilt)",
    majority: "Mehrheit (der Benannten)",
  },
  authenticity: "Zeichnungen beweist",
  authenticities: {
    signature: "die Signatur jeder Person",
    group: "nur der Schlüssel der Gruppe",
  },
  cipher: "Nachrichten und Dateien verschlüsselt",
  postQuantum: "Quantencomputer",
  postQuantumModes: {
    off: "könnten eines Tages lesen, was jetzt aufgezeichnet wird",
    hybrid: "können nicht lesen, was jetzt aufgezeichnet wird (ML-KEM-768)",
  },
  since: "Gesichert seit",
  notYet: "noch nicht",
  code: "Konferenzcode",
  codeHint:
    "Alle in der Konferenz sehen dieselben Ziffern. Vergleichen Sie sie persönlich oder am Telefon: Weichen sie ab, ist jemand dazwischen.",
  codeWaiting: "Erscheint, wenn der Schlüssel vereinbart ist.",
  members: "Können das lesen",
  details: "Einzelheiten",
  verifyName: "{{name}} überprüfen",
  allVerified: "Sie haben alle hier überprüft: Niemand ist dazwischen.",
  verifiedOf_one:
    "Sie haben {{count}} von {{all}} überprüft. Die Namen der anderen sind, was sie eingegeben haben. Überprüfen Sie sie, um sicher zu sein.",
  verifiedOf_other:
    "Sie haben {{count}} von {{all}} überprüft. Die Namen der anderen sind, was sie eingegeben haben. Überprüfen Sie sie, um sicher zu sein.",
  log: "Was geschehen ist",
  close: "Schließen",
  view: {
    created: "Sie nehmen teil. Schlüssel {{epoch}}.",
    newKey: "Neuer Schlüssel, Nummer {{epoch}}.",
    refreshed: "Dieselben Personen, ein neuer Schlüssel, Nummer {{epoch}}.",
  },
  transferred: "Sie haben das Whiteboard von {{name}} erhalten. Vielleicht fehlt etwas.",
  merged: "Wieder verbunden mit: {{names}}. Die Änderungen beider Seiten wurden zusammengeführt.",
  somebody: "jemand",
  times: "({{count}}-mal)",
  codes: {
    "fingerprint-mismatch":
      "Eine Verbindung wurde abgelehnt (angeblich: {{name}}): Das Zertifikat gehörte nicht dazu. Vielleicht wollte jemand dazwischen.",
    "forged-signal": "Eine Verbindungsanfrage mit falscher Signatur wurde ignoriert.",
    "bad-association":
      "Eine Verbindung wurde abgelehnt, die ihre Herkunft nicht beweisen konnte (angeblich: {{name}}).",
    "bad-credential": "Eine Nachricht mit falscher Signatur wurde ignoriert (angeblich: {{name}}).",
    "bad-frame": "Fehlerhafte Daten wurden ignoriert (von: {{name}}).",
    obstruction:
      "{{name}} hält die anderen auf und wird eine Weile ausgelassen. Ein schlechtes Netz kann der Grund sein.",
    equivocation:
      "{{name}} hat verschiedenen Personen verschiedene Fassungen einer Nachricht geschickt und beide signiert.",
    "contradicting-host":
      "{{name}} hat als Leitung Widersprüchliches entschieden und gehört nicht mehr zur Leitung. Fragen Sie eine andere Leitung, ob diese Person entfernt werden soll.",
    divergence: "{{name}} hat etwas anderes erhalten als Sie. Es ist nicht bekannt, welches falsch ist.",
    "failed-confirmation":
      "Jemand konnte nicht beweisen, denselben Schlüssel zu haben ({{name}}). Ein neuer wird vereinbart.",
    "agreement-fault": "Die Regeln der Schlüsselvereinbarung wurden verletzt (von: {{name}}). Sie wird wiederholt.",
    undecryptable: "Eine Nachricht ließ sich nicht entschlüsseln und wurde ignoriert (von: {{name}}).",
    "changed-key":
      "Vorsicht: Jemand verwendet den Namen {{name}}, aber nicht den Schlüssel der Person, die Sie überprüft haben oder hier kennen. Vergleichen Sie die Codes, bevor Sie dieser Person trauen.",
    "altered-verifications":
      "Die Liste der Personen, die Sie überprüft haben, wurde von jemand anderem verändert und wird nicht verwendet. Überprüfen Sie sie neu.",
    "unexpected-history":
      "{{name}} wollte frühere Nachrichten oder Zeichnungen zur falschen Zeit schicken. Sie wurden ignoriert.",
    "foreign-author":
      "{{name}} hat Nachrichten von Personen geschickt, die nie hereingelassen wurden. Sie wurden ignoriert.",
    "invalid-content": "Eine ungültige Zeichnung wurde ignoriert (von: {{name}}).",
    "bad-statement": "{{name}} hat eine gefälschte Entscheidung der Leitung geschickt. Sie wurde ignoriert.",
    flooding: "{{name}} sendet mehr, als dieses Gerät annimmt. Manches kommt später oder gar nicht an.",
    "beyond-role": "{{name}} hat versucht, was die Rolle nicht erlaubt. Es wurde ignoriert.",
    "handling-failed":
      "Etwas konnte nicht verarbeitet werden und wurde ignoriert (von: {{name}}). Die Konferenz geht weiter.",
    "not-admitted":
      "Jemand hat den Link, ist aber in dieser Konferenz nicht zugelassen und wurde nicht hereingelassen.",
  },
}

export const keyPicture: Texts["keyPicture"] = {
  tree_one: "Schlüsselbaum mit {{count}} Blatt: {{nested}}.",
  tree_other: "Schlüsselbaum mit {{count}} Blättern, {{height}} Ebenen hoch: {{nested}}.",
  ring_one: "Schlüsselring aus {{count}} Person: {{names}}.",
  ring_other: "Schlüsselring aus {{count}} Personen: {{names}}.",
  chain_one: "Schlüsselkette aus {{count}} Person: {{names}}.",
  chain_other: "Schlüsselkette aus {{count}} Personen: {{names}}.",
  star_one: "Schlüsselstern aus {{count}} Person: {{name}}.",
  star_other: "Schlüsselstern aus {{count}} Personen um {{name}}.",
  quorum_one: "Von {{count}} benannten Person gemacht: {{names}}.",
  quorum_other: "Von {{of}} der {{count}} benannten Personen gemacht: {{names}}.",
  newOf: "Neu durch die letzte Änderung: {{names}}.",
  new: "Neu durch die letzte Änderung",
  contributed: "Hat zu diesem Schlüssel beigetragen",
  about: {
    tree: "Jede Gabel ist ein Schlüssel, den nur die Personen rechts davon teilen. Aus dem ganz links wird der der Konferenz.",
    ring: "Alle teilen mit beiden Nachbarn einen Schlüssel. Aus allen zusammen wird der der Konferenz.",
    chain: "Die Anteile kamen von oben nach unten in den Schlüssel.",
    star: "Die Person ganz oben hat den Schlüssel gemacht und allen anderen gegeben.",
    quorum:
      "Mehr als die Hälfte der benannten Personen macht den Schlüssel. Die anderen bekommen ihn, wenn sie kommen.",
  },
}
