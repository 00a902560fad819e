import type { Texts } from "../en/index.ts"

export const start: Texts["start"] = {
  lead: "Ein Whiteboard und ein Chat für alle mit dem Link. Nur die Menschen in der Konferenz können lesen, was Sie zeichnen und schreiben. Auch dieser Server kann es nicht.",
  name: "Ihr Name",
  nameMissing: "Geben Sie einen Namen ein, damit die anderen wissen, wer Sie sind.",
  create: "Konferenz beginnen",
  options: "Optionen",
  cryptography: "Kryptografie",
  cryptographyHint: "Wie der Schlüssel entsteht. Sie müssen hier nichts wählen.",
  majorityNames: "Nennen Sie die Personen unter „Optionen“, „Wer teilnehmen darf“.",
  title: "Titel (alle mit dem Link sehen ihn)",
  admission: "Wer teilnehmen darf",
  admissions: {
    link: "alle mit dem Link",
    approval: "Personen, die ich einzeln hereinlasse",
    roster: "nur Personen, die ich nenne",
    ca: "nur die Leute einer Organisation",
  },
  history: "Wer später kommt, sieht",
  historyEverything: "alles von Anfang an",
  historyFromJoin: "das Whiteboard, wie es ist, und neue Nachrichten",
  historyHints: {
    everything:
      "Mitglieder schicken neuen Mitgliedern frühere Nachrichten. Ändern können sie eine Nachricht nicht, aber sie können welche weglassen oder die Reihenfolge ändern.",
    "from-join": "Neue Mitglieder bekommen keine früheren Nachrichten. Sie sehen, was auf dem Whiteboard ist.",
  },
  keyAgreement: "Schlüsselvereinbarung",
  keyAgreementHints: {
    tgdh: "Die übliche Wahl: Alle tragen bei, und Kommen und Gehen bleibt auch in großen Gruppen schnell.",
    str: "Alle tragen bei. Teilnehmen geht schnell. Länger dauert es, wenn jemand geht, der früh kam.",
    bd: "Alle tragen jedes Mal neu bei: wenig zu rechnen, viele Nachrichten in großen Gruppen.",
    gdh: "Alle tragen nacheinander bei: Kommen mehrere zugleich, dauert es länger.",
    ckd: "Ein Mitglied macht den Schlüssel und gibt ihn den anderen: einfach, aber sonst trägt niemand bei.",
    majority: "Für Benannte: Der Schlüssel entsteht mit mehr als der Hälfte. Auch wer nicht da ist, kann ihn kennen.",
  },
  authenticity: "Was beweist, wer gezeichnet hat",
  authenticityHints: {
    signature: "Die übliche Wahl: Niemand kann im Namen einer anderen Person zeichnen oder zeigen.",
    group:
      "Nach unseren Messungen nicht schneller. Mitglieder könnten im Namen der anderen zeichnen oder zeigen, und niemand kann nur zusehen. Nachrichten sind trotzdem signiert.",
  },
  cipher: "Verschlüsselung",
  cipherHints: {
    "aes-256-gcm": "Schnell auf fast allen Geräten.",
    "chacha20-poly1305":
      "Ebenso sicher. Gut für Geräte, die mit AES langsam sind, etwa ältere Telefone. Anrufe nutzen weiter AES.",
    "aes-256-gcm-siv":
      "Schützt Texte auch, wenn sich Zufallszahlen wiederholen, etwa auf einem kopierten Gerät. Langsamer, und andere Programme auf diesem Gerät könnten mehr erfahren. Anrufe nutzen weiter AES-256-GCM.",
  },
  postQuantum: "Quantencomputer",
  postQuantumModes: { off: "kein zusätzlicher Schutz", hybrid: "zusätzlicher Schutz (ML-KEM-768)" },
  postQuantumHints: {
    off: "Wer die Konferenz jetzt aufzeichnet, könnte sie mit einem künftigen Quantencomputer lesen.",
    hybrid:
      "Was heute aufgezeichnet wird, bleibt vor künftigen Quantencomputern geheim. Der Schlüssel braucht etwas mehr Daten.",
  },
  duration: "Endet nach",
  hours_one: "{{count}} Stunde",
  hours_other: "{{count}} Stunden",
  days_one: "{{count}} Tag",
  days_other: "{{count}} Tagen",
  or: "oder",
  link: "Einladungslink",
  linkInvalid: "Das ist kein vollständiger Einladungslink. Kopieren Sie ihn noch einmal, mit allem nach dem #-Zeichen.",
  linkElsewhere: "Dieser Link gehört zu {{host}}. Öffnen Sie ihn in der Adresszeile.",
  join: "Teilnehmen",
  footer: "Ende-zu-Ende-verschlüsselt. Der Server sieht, wer sich wann verbindet, aber nicht, was Sie sagen.",
  whatIsProtected: "Was ist geschützt?",
  hideAddress: "Meine Internetadresse vor den anderen verbergen",
  hideAddressHint:
    "Alles läuft über eine Zwischenstation, die es nicht lesen kann. Das ist langsamer. Der Server sieht Ihre Adresse trotzdem. Anrufe gehen nur, wenn der Server dafür eine Zwischenstation hat.",
}

export const enter: Texts["enter"] = {
  title: "Sie sind zu einer Konferenz eingeladen",
  over: "Diese Konferenz ist vorbei",
  ended: "{{name}} hat diese Konferenz beendet ({{time}}).",
  endedByYou: "Sie haben diese Konferenz beendet ({{time}}).",
  about: "Worum es geht",
  madeBy: "Erstellt von",
  you: "{{name}} (Sie)",
  whoMay: "Wer teilnehmen darf",
  newcomers: "Wer später kommt, sieht",
  opens: "Öffnet",
  ends: "Endet",
  looking: "Die Einladung wird geprüft…",
  unverified: "Nicht überprüft: Der Name ist, was diese Person eingegeben hat.",
  changedKey:
    "Vorsicht: Das ist nicht {{name}}, wie Sie die Person überprüft haben, sondern jemand mit einem anderen Schlüssel.",
  policies: {
    link: "Alle mit dem Link.",
    approval: "Personen mit dem Link, die die Leitung einzeln hereinlässt. Sie warten auf die Leitung.",
    approvalByCreator: "Personen mit dem Link, die die Leitung einzeln hereinlässt.",
    roster_one: "Nur {{count}} benannte Person.",
    roster_other: "Nur {{count}} benannte Personen.",
    ca: "Nur Personen, denen {{name}} ein Zertifikat ausgestellt hat.",
  },
  more: "Mehr zu dieser Konferenz",
  join: "Teilnehmen",
  instead: "Stattdessen eine eigene Konferenz beginnen",
}

export const working: Texts["working"] = {
  creating: "Die Konferenz wird erstellt…",
  joining: "Sie nehmen gleich teil…",
  resuming: "Sie kehren zurück…",
  leaving: "Die Konferenz wird verlassen…",
}
