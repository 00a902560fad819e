import type { Texts } from "../en/index.ts"

export const people: Texts["people"] = {
  title_one: "{{count}} Person in der Konferenz",
  title_other: "{{count}} Personen in der Konferenz",
  you: "Sie",
  otherDevice: "Ihr anderes Gerät",
  idle: "Nicht an der Seite",
  hand: "Hand gehoben",
  agreeing: "Mit diesen Personen wird gerade ein neuer Schlüssel vereinbart.",
  sameName: "Jemand anderes hier hat denselben oder einen ähnlich aussehenden Namen. Überprüfen Sie, wer wer ist.",
  copy: "Das ist eine Kopie auf diesem Gerät. Niemand ist mit ihr verbunden.",
  invite: "Noch ist niemand sonst hier. Schicken Sie jemandem den Link.",
  lost: "Gerade nicht erreichbar: {{names}}.",
  byServer: "Über den Server verbunden, der nichts lesen kann. Das ist langsamer.",
  byMember: "Über jemand anderen hier verbunden, der nichts lesen kann. Das ist langsamer.",
  verify: "Überprüfen",
  codes: "Codes",
  more: "Mehr zu {{name}}",
  verified: "Von Ihnen überprüft",
  unverified: "Von Ihnen nicht überprüft",
  changedKey: "Nicht der Schlüssel, den Sie überprüft haben",
}

export const alarm: Texts["alarm"] = {
  changedKey:
    "Vorsicht: Das ist nicht {{name}}, wie Sie die Person überprüft haben, sondern jemand mit einem anderen Schlüssel. Das ist eine fremde Person, oder dieselbe an einem neuen Gerät.",
  past: "Vorsicht: Frühere Nachrichten tragen den Namen {{name}}. Sie wurden aber nicht mit dem Schlüssel der Person geschrieben, die Sie überprüft haben oder hier kennen. Fragen Sie diese Person, bevor Sie ihnen trauen.",
  row: "Sagen Sie hier nichts Vertrauliches, bevor Sie die Codes verglichen haben. Sind sie gleich, überprüfen Sie diese Person neu. Wenn nicht, gehen Sie und treffen Sie sich über einen anderen Link.",
  compare: "Codes vergleichen",
  hide: "Diese Warnung ausblenden",
}

export const verify: Texts["verify"] = {
  title: "{{name}} überprüfen",
  how: "Treffen Sie {{name}}, oder telefonieren Sie so, dass Sie die Stimme erkennen. Sehen Sie beide hier dasselbe, ist niemand dazwischen. Ziffern und Wörter sagen dasselbe: Eines davon genügt.",
  forms: "Arten zu vergleichen",
  form: { digits: "Ziffern", words: "Wörter", scan: "Scannen" },
  wordsHint: "Lesen Sie sie abwechselnd vor, in dieser Reihenfolge.",
  qr: "Code, den {{name}} scannt",
  coming: "Die Codes werden berechnet …",
  qrHint: "Lassen Sie {{name}} diesen Code scannen, oder scannen Sie den auf dem Bildschirm von {{name}}.",
  scan: "Code von {{name}} scannen",
  showMine: "Meinen Code zeigen",
  cameraPicture: "Bild der Kamera",
  camera: {
    refused:
      "Der Browser lässt diese Seite die Kamera nicht verwenden. Erlauben Sie es in den Einstellungen der Seite, oder vergleichen Sie die Ziffern.",
    missing: "Es wurde keine Kamera gefunden. Vergleichen Sie stattdessen die Ziffern oder die Wörter.",
    busy: "Ein anderes Programm verwendet die Kamera. Schließen Sie es und versuchen Sie es noch einmal, oder vergleichen Sie die Ziffern.",
  },
  scanned: {
    notACode: "Das ist kein Überprüfungscode von Keymoot. Suchen Sie den unter „Überprüfen“, „Scannen“.",
    otherPerson:
      "Dieser Code ist für zwei andere. Zeigt {{name}} ihn Ihnen, dann ist jemand dazwischen. Trauen Sie dieser Verbindung nicht.",
  },
  same: "Sie sind gleich",
  notSame: "Sie unterscheiden sich",
  differs:
    "Dann ist vielleicht jemand zwischen Ihnen und {{name}}. Sagen Sie hier nichts Vertrauliches. Stellen Sie sicher, dass beide den Code des anderen offen haben. Unterscheiden sie sich immer noch, gehen Sie und schicken Sie auf anderem Weg einen neuen Link.",
  again: "Noch einmal vergleichen",
  stop: "Nicht überprüfen",
  done: "Sie haben {{name}} überprüft. Das bleibt in jeder Konferenz, nur nicht unter dem Namen von jemand anderem, den Sie überprüft haben.",
  withdraw: "Überprüfung zurücknehmen",
  notStored:
    "Das konnte auf diesem Gerät nicht gespeichert werden und zählt deshalb nicht. Schaffen Sie Platz und versuchen Sie es noch einmal.",
  full: "Sie können keine weiteren Personen überprüfen. Nehmen Sie zuerst die Überprüfung von jemandem zurück, der mit Ihnen in dieser oder einer anderen Konferenz ist.",
  goneTitle: "Überprüfen",
  gone: "Diese Person hat die Konferenz verlassen.",
  close: "Schließen",
}
