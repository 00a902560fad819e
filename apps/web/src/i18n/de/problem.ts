import type { Texts } from "../en/index.ts"

export const nowhere: Texts["nowhere"] = {
  title: "Hier gibt es keine Seite",
  hint: "Die Adresse enthält einen Fehler, oder die Seite gibt es nicht mehr. Falls Sie eingeladen wurden, öffnen Sie den ganzen Link noch einmal.",
}

export const insecure: Texts["insecure"] = {
  title: "Diese Adresse ist nicht verschlüsselt",
  why: "Browser lassen eine Seite nur unter einer https-Adresse verschlüsseln. Ohne sie könnte jeder unterwegs diese Seite verändern.",
  ask: "Fragen Sie die Person, die diesen Server betreibt, nach seiner https-Adresse.",
  open: "{{address}} öffnen",
  own: "Ich betreibe diesen Server",
  here: "Öffnen Sie auf dem Rechner des Servers {{address}}: Browser vertrauen einer Seite, die vom selben Rechner kommt.",
  elsewhere:
    "Andere Geräte brauchen https. Stellen Sie einen Reverse-Proxy mit einem Zertifikat vor den Server und setzen Sie PUBLIC_ORIGIN auf seine Adresse. Die Datei docs/self-hosting.md zeigt, wie es geht.",
}

export const problem: Texts["problem"] = {
  title: "Das hat nicht geklappt",
  titles: {
    "invalid-link": "Dieser Link funktioniert nicht",
    "unknown-conference": "Dieser Link funktioniert nicht",
    "descriptor-mismatch": "Nehmen Sie nicht teil",
    "missing-module": "Sie brauchen ein anderes Programm",
    "not-admitted": "Sie können nicht teilnehmen",
    "no-invitation": "Dieser Link ist nicht vollständig",
    "conference-over": "Diese Konferenz ist vorbei",
    removed: "Sie wurden entfernt",
    refused: "Sie wurden nicht hereingelassen",
  },
  endedByHost: "Die Leitung hat diese Konferenz beendet ({{time}}).",
  unanswered: "Niemand hat geantwortet, dass sie weitergeht.",
  remains: "Was Sie gesehen haben, können Sie noch speichern, bis Sie diese Seite verlassen.",
  remainsKept:
    "Sie können es jetzt speichern. Es bleibt auch auf diesem Gerät, unter „Meine Konferenzen“, bis Sie es dort vergessen.",
  deleted: "Die Kopie dieser Konferenz auf diesem Gerät wurde gelöscht.",
  saveBoard: "Whiteboard speichern",
  saveChat: "Chat speichern",
  openCopy: "Kopie öffnen",
  openCopyHere: "Kopie auf diesem Gerät öffnen",
  retries: "Diese Seite versucht es von selbst noch einmal, sobald der Server antwortet.",
  retry: "Erneut versuchen",
  toStart: "Zur Startseite",
  codes: {
    "not-deleted":
      "Die Kopie dieser Konferenz auf diesem Gerät konnte nicht gelöscht werden. Vergessen Sie sie unter „Meine Konferenzen“. Steht sie dort nicht, löschen Sie die Daten dieser Website im Browser.",
    "invalid-argument":
      "Der Name oder eine Einstellung wurde nicht angenommen. Wählen Sie einen kürzeren Namen ohne Sonderzeichen und versuchen Sie es noch einmal.",
    "invalid-link":
      "Dieser Link ist beschädigt. Bitten Sie noch einmal darum und kopieren Sie ihn ganz, mit allem nach dem #-Zeichen.",
    "invalid-card": "Eine der Karten ließ sich nicht lesen. Entfernen Sie sie und fügen Sie sie noch einmal ein.",
    "roster-too-long": "Diese Gästeliste ist zu lang. Entfernen Sie einige Personen, oder die mit sehr langen Namen.",
    "named-twice":
      "Zwei Karten auf der Liste sind von derselben Person, die ihren Namen geändert hat. Entfernen Sie eine davon.",
    "bad-certificate":
      "Dieses Zertifikat lässt sich nicht verwenden. Bitten Sie die Zertifizierungsstelle Ihrer Organisation um ein anderes.",
    "certificate-superseded":
      "Im Verzeichnis steht ein späterer Eintrag von Ihnen, von einem anderen Gerät oder unter einem anderen Namen. Nehmen Sie sich heraus, und tragen Sie sich dann wieder ein.",
    "certificate-refused":
      "Der Server nimmt Ihr Zertifikat nicht an. Stellen Sie Datum und Uhrzeit dieses Geräts richtig ein, und versuchen Sie es noch einmal.",
    "proof-refused":
      "Der Server hat den Nachweis nicht angenommen, dass Sie es sind. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.",
    "wrong-origin":
      "Dieser Server ist für eine andere Adresse eingerichtet als die in Ihrem Browser. Öffnen Sie seine eigene Adresse, oder fragen Sie die Person, die ihn betreibt.",
    "certificate-mismatch":
      "Dieser Server sagt, ein anderes Zertifikat sei Ihres. Glauben Sie das nicht. Nehmen Sie sich aus dem Verzeichnis, und sagen Sie es der Person, die diesen Server betreibt.",
    "not-admitted":
      "Sie stehen nicht auf der Gästeliste dieser Konferenz, oder Ihnen fehlt das Zertifikat, das sie verlangt. Wenden Sie sich an die Person, die Sie eingeladen hat.",
    "not-permitted": "Das dürfen Sie hier nicht. Wenden Sie sich an die Leitung dieser Konferenz.",
    "no-invitation":
      "Diesem Link fehlt sein geheimer Teil, der Teil nach dem #-Zeichen. Wer ihn geschickt hat, hat wohl die Adresszeile kopiert. Bitten Sie diese Person, in der Konferenz „Link kopieren“ zu drücken und Ihnen diesen Link zu schicken.",
    "unknown-conference":
      "Der Server kennt diese Konferenz nicht. Vielleicht ist sie lange vorbei, oder der Link enthält einen Tippfehler: Bitten Sie noch einmal um den Link.",
    "descriptor-mismatch":
      "Der Server hat eine andere Konferenz gezeigt als die, zu der dieser Link gehört. Vielleicht will er Sie täuschen. Sagen Sie es der Person, die Sie eingeladen hat.",
    "missing-module":
      "Diese Konferenz benutzt eine Verschlüsselung, die dieses Programm nicht hat. Fragen Sie die Person, die Sie eingeladen hat, welches Programm Sie brauchen.",
    "not-yet-open": "Diese Konferenz ist noch nicht offen. Versuchen Sie es noch einmal, wenn sie es ist.",
    "conference-over": "Diese Konferenz ist vorbei. Beginnen Sie eine neue, um sich wieder zu treffen.",
    "server-unreachable":
      "Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.",
    "other-server-version":
      "Diese Seite und der Server haben verschiedene Versionen. Laden Sie die Seite neu. Hilft das nicht, braucht der Server ein Update.",
    "server-refused":
      "Der Server ist überlastet oder nimmt das gerade nicht an. Versuchen Sie es in einer Minute noch einmal.",
    "server-full":
      "Dieser Server hat keinen Platz mehr für neue Einträge oder Konferenzen. Versuchen Sie es später noch einmal, oder fragen Sie die Person, die ihn betreibt.",
    "already-open":
      "Diese Konferenz ist schon in einem anderen Tab dieses Browsers offen. Machen Sie dort weiter, oder schließen Sie jenen Tab und versuchen Sie es noch einmal.",
    "opened-elsewhere":
      "Diese Konferenz wurde mit Ihrer Identität auf einem anderen Gerät oder in einem anderen Browser geöffnet. Machen Sie dort weiter, oder drücken Sie „Erneut versuchen“, um sie hierher zurückzuholen.",
    "storage-unavailable":
      "Der Browser lässt diese Seite nichts speichern, und ohne das kann sie keinen Schlüssel behalten. Erlauben Sie Websitedaten oder verlassen Sie den privaten Modus, dann versuchen Sie es noch einmal.",
    "unsupported-browser":
      "Diesem Browser fehlt etwas, das die Verschlüsselung braucht. Nutzen Sie einen aktuellen Firefox, Chrome, Edge oder Safari.",
    "call-full":
      "Der Anruf ist voll: 24 Personen sind dabei. Versuchen Sie es noch einmal, wenn jemand ihn verlassen hat.",
    "too-large": "Das ist zu groß zum Senden. Verkleinern Sie es.",
    "too-soon": "Eben erst wurde ein neuer Schlüssel vereinbart. Versuchen Sie es in 15 Sekunden noch einmal.",
    "wrong-passphrase":
      "Das ist nicht die Passphrase dieser Sicherung. Achten Sie auf Großbuchstaben und Leerzeichen und versuchen Sie es noch einmal.",
    "damaged-backup":
      "Diese Datei ist keine Sicherung einer Identität, oder sie ist beschädigt. Nehmen Sie eine andere Kopie.",
    "newer-backup":
      "Diese Sicherung stammt von einer neueren Version von Keymoot. Laden Sie die Seite neu oder nehmen Sie einen neueren Server.",
    "file-unavailable":
      "Niemand hier hat diese Datei im Moment. Was angekommen ist, bleibt erhalten. Bitten Sie darum, sie noch einmal zu teilen.",
    "file-altered":
      "Das ist nicht die geteilte Datei. Sie wurde gelöscht. Bitten Sie darum, sie noch einmal zu teilen.",
    "storage-full":
      "Auf diesem Gerät ist kein Platz für diese Datei. Schaffen Sie Platz und versuchen Sie es noch einmal.",
    "unseen-readers":
      "Bevor das gesendet wurde, ist jemand dazugekommen. Sehen Sie nach, wer hier ist, und versuchen Sie es noch einmal.",
    "queue-full": "Es wartet zu viel auf das Senden. Warten Sie einen Moment und versuchen Sie es noch einmal.",
    "no-answer": "Hier hat niemand geantwortet. Versuchen Sie es später noch einmal.",
    closed: "Die Konferenz wurde auf diesem Gerät geschlossen.",
    aborted: "Das wurde abgebrochen.",
    removed: "Die Leitung hat Sie aus dieser Konferenz entfernt. Sie können nicht zurückkommen.",
    refused:
      "Die Leitung hat Sie nicht hereingelassen. Sie können den Link in einer Minute öffnen und noch einmal fragen.",
    "engine-failed":
      "In dieser Seite ist etwas kaputtgegangen, und die Konferenz wurde zur Sicherheit angehalten. Laden Sie die Seite neu, um zurückzukommen.",
    internal: "Etwas Unerwartetes ist geschehen. Laden Sie die Seite neu.",
  },
}
