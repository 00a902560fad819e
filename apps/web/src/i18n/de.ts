import type { Texts } from "./en.ts"

export const de: Texts = {
  product: "Keymoot",
  start: {
    lead: "Ein Whiteboard und ein Chat für alle mit dem Link. Was Sie zeichnen und schreiben, können die Menschen in der Konferenz lesen und sonst niemand, auch dieser Server nicht.",
    name: "Ihr Name",
    nameMissing: "Geben Sie einen Namen ein, damit die anderen wissen, wer Sie sind.",
    create: "Konferenz beginnen",
    advanced: "Erweitert",
    title: "Titel (nur Mitglieder sehen ihn)",
    history: "Wer später kommt, sieht",
    historyEverything: "alles von Anfang an",
    historyFromJoin: "was ab dem Beitritt geschieht",
    keyAgreement: "Schlüsselvereinbarung",
    keyAgreementHints: {
      tgdh: "Die übliche Wahl: Alle tragen bei, und Wechsel gehen auch in großen Gruppen schnell.",
      str: "Alle tragen bei. Wer kommt, kostet wenig; wer früh kam und geht, kostet mehr.",
      bd: "Alle tragen jedes Mal neu bei: wenig zu rechnen, viele Nachrichten in großen Gruppen.",
      gdh: "Alle tragen nacheinander bei: Kommen mehrere zugleich, dauert es länger.",
      ckd: "Ein Mitglied macht den Schlüssel und gibt ihn den anderen: einfach, aber sonst trägt niemand bei.",
    },
    duration: "Endet nach",
    hours_one: "{{count}} Stunde",
    hours_other: "{{count}} Stunden",
    days_one: "{{count}} Tag",
    days_other: "{{count}} Tagen",
    or: "oder",
    link: "Einladungslink",
    linkInvalid:
      "Das ist kein vollständiger Einladungslink. Kopieren Sie ihn noch einmal, mit allem nach dem #-Zeichen.",
    linkElsewhere: "Dieser Link gehört zu {{host}}. Öffnen Sie ihn in der Adresszeile.",
    join: "Teilnehmen",
    footer: "Ende-zu-Ende-verschlüsselt. Der Server sieht, wer sich wann verbindet, aber nicht, was Sie sagen.",
    whatIsProtected: "Was ist geschützt?",
  },
  protection: {
    title: "Was geschützt ist",
    content:
      "Die Menschen in einer Konferenz vereinbaren untereinander einen Schlüssel. Zeichnungen, Nachrichten und Namen werden damit im Browser verschlüsselt, und er ändert sich, sobald jemand kommt oder geht.",
    server:
      "Der Server bringt die Menschen zusammen. Er sieht Internetadressen, die Nummer der Konferenz, wann Nachrichten laufen und wie groß sie sind. Er kann sie weder lesen noch ändern noch unbemerkt jemanden hinzufügen.",
    link: "Wer den Link hat, kann teilnehmen. Geben Sie ihn nur Menschen, die dabei sein sollen, und sehen Sie nach, wer in der Konferenz ist.",
    names:
      "Ein Name ist, was jemand eingetippt hat. Um sicher zu sein, wer da ist, vergleichen Sie den Konferenzcode, persönlich oder am Telefon.",
    limits:
      "Wer teilnimmt, kann kopieren, was zu sehen ist. Und wer diese Seite ausliefert, könnte eine veränderte ausliefern: Nutzen Sie einen Server, dem Sie vertrauen, oder betreiben Sie einen eigenen.",
    close: "Schließen",
  },
  enter: {
    title: "Sie sind zu einer Konferenz eingeladen",
    join: "Teilnehmen",
    instead: "Stattdessen eine eigene Konferenz beginnen",
  },
  working: {
    creating: "Die Konferenz beginnt…",
    joining: "Beitritt…",
    resuming: "Rückkehr…",
    leaving: "Abschied…",
  },
  problem: {
    title: "Das hat nicht geklappt",
    retry: "Noch einmal versuchen",
    toStart: "Zur Startseite",
    codes: {
      "invalid-argument":
        "Der Name oder eine Einstellung wurde nicht angenommen. Wählen Sie einen kürzeren Namen ohne Sonderzeichen und versuchen Sie es noch einmal.",
      "invalid-link":
        "Dieser Link ist beschädigt. Bitten Sie noch einmal darum und kopieren Sie ihn ganz, mit allem nach dem #-Zeichen.",
      "no-invitation":
        "Diesem Link fehlt sein geheimer Teil, der Teil nach dem #-Zeichen. Bitten Sie die Person, die Sie eingeladen hat, um den ganzen Link und öffnen Sie ihn.",
      "unknown-conference":
        "Der Server kennt diese Konferenz nicht. Vielleicht ist sie lange vorbei, oder der Link enthält einen Tippfehler: Bitten Sie noch einmal um den Link.",
      "descriptor-mismatch":
        "Der Server hat eine andere Konferenz gezeigt als die, zu der dieser Link gehört. Treten Sie nicht ein. Sagen Sie es der Person, die Sie eingeladen hat.",
      "conference-over": "Diese Konferenz ist vorbei. Beginnen Sie eine neue, um sich wieder zu treffen.",
      "server-unreachable":
        "Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.",
      "server-refused":
        "Der Server ist überlastet oder nimmt gerade keine neuen Konferenzen an. Versuchen Sie es in einer Minute noch einmal.",
      "already-open":
        "Diese Konferenz ist schon in einem anderen Tab dieses Browsers offen. Machen Sie dort weiter, oder schließen Sie jenen Tab und versuchen Sie es noch einmal.",
      "opened-elsewhere":
        "Diese Konferenz wurde in einem anderen Tab dieses Browsers geöffnet. Machen Sie dort weiter, oder holen Sie sie hierher zurück.",
      "storage-unavailable":
        "Der Browser lässt diese Seite nichts speichern, und ohne das kann sie keinen Schlüssel behalten. Erlauben Sie Websitedaten oder verlassen Sie den privaten Modus, dann versuchen Sie es noch einmal.",
      "unsupported-browser":
        "Diesem Browser fehlt etwas, das die Verschlüsselung braucht. Nutzen Sie einen aktuellen Firefox, Chrome, Edge oder Safari.",
      "too-large": "Das war zu groß zum Senden.",
      "queue-full": "Es wartet zu viel auf das Senden. Warten Sie einen Moment und versuchen Sie es noch einmal.",
      closed: "Die Konferenz wurde auf diesem Gerät geschlossen.",
      aborted: "Das wurde abgebrochen.",
      "engine-failed":
        "In dieser Seite ist etwas kaputtgegangen, und die Konferenz wurde zur Sicherheit angehalten. Laden Sie die Seite neu, um zurückzukommen.",
      internal: "Etwas Unerwartetes ist geschehen. Laden Sie die Seite neu.",
    },
  },
  lock: {
    name: "Sicherheit",
    joining: "Die anderen werden gesucht…",
    agreeing: "Ein Schlüssel wird vereinbart…",
    alone: "Nur Sie sind hier.",
    encrypted_one: "Verschlüsselt. {{count}} Person kann das lesen.",
    encrypted_other: "Verschlüsselt. {{count}} Personen können das lesen.",
  },
  bar: {
    copyLink: "Link kopieren",
    linkCopied: "Link kopiert",
    copyByHand: "Kopieren Sie diesen Link",
    copyByHandHint: "Der Browser hat das Kopieren nicht erlaubt. Markieren Sie den Link und kopieren Sie ihn selbst.",
    leave: "Verlassen",
    chat: "Chat",
    chatUnread_one: "Chat, {{count}} ungelesene Nachricht",
    chatUnread_other: "Chat, {{count}} ungelesene Nachrichten",
    people: "Personen",
    drawer: "Seitenleiste",
    closeDrawer: "Schließen",
  },
  banner: {
    serverDown:
      "Server nicht erreichbar. Die Konferenz geht weiter; neu beitreten kann erst wieder jemand, wenn er zurück ist.",
    joining: "Die anderen werden gesucht…",
    joiningHint: "Was Sie inzwischen tun, bleibt erhalten und wird geteilt.",
  },
  leave: {
    title: "Jetzt verlassen?",
    unsent_one: "{{count}} Nachricht ist noch nicht gesendet. Sie geht verloren, wenn Sie gehen.",
    unsent_other: "{{count}} Nachrichten sind noch nicht gesendet. Sie gehen verloren, wenn Sie gehen.",
    stay: "Bleiben",
    leave: "Trotzdem verlassen",
  },
  chat: {
    log: "Gesprächsverlauf",
    message: "Nachricht",
    send: "Senden",
    empty: "Noch keine Nachrichten.",
    you: "Sie",
    handedOver: "übergeben",
    handedOverHint:
      "Geschrieben, bevor Sie kamen. Ein anderes Mitglied hat es übergeben; die Unterschrift wurde geprüft.",
    sending: "Wird gesendet…",
    waiting: "Wartet auf den Schlüssel…",
    failed: "Nicht gesendet.",
    retry: "Noch einmal versuchen",
    discard: "Verwerfen",
    latest: "Neueste Nachrichten",
    tooMany: "Zu viele Nachrichten warten auf das Senden.",
  },
  people: {
    title_one: "{{count}} Person in der Konferenz",
    title_other: "{{count}} Personen in der Konferenz",
    you: "Sie",
    agreeing: "Mit diesen Personen wird gerade ein neuer Schlüssel vereinbart.",
    invite: "Noch ist niemand sonst hier. Schicken Sie jemandem den Link.",
  },
  news: {
    joined_one: "{{names}} ist beigetreten.",
    joined_other: "{{names}} sind beigetreten.",
    left_one: "{{names}} ist gegangen.",
    left_other: "{{names}} sind gegangen.",
  },
  security: {
    title: "Sicherheit",
    epoch: "Epoche",
    module: "Schlüsselvereinbarung",
    modules: {
      tgdh: "TGDH (Baum aus Schlüsselpaaren)",
      str: "STR (Kette aus Schlüsselpaaren)",
      bd: "BD (Ring, alle wirken mit)",
      gdh: "GDH (von Hand zu Hand)",
      ckd: "CKD (ein Mitglied verteilt)",
    },
    since: "Gesichert seit",
    notYet: "noch nicht",
    code: "Konferenzcode",
    codeHint:
      "Alle in der Konferenz sehen dieselben Ziffern. Vergleichen Sie sie persönlich oder am Telefon: Weichen sie ab, ist jemand dazwischen.",
    codeWaiting: "Erscheint, wenn der Schlüssel vereinbart ist.",
    members: "Können das lesen",
    log: "Was geschehen ist",
    close: "Schließen",
    view: {
      created: "Sie sind dabei. Epoche {{epoch}}.",
      newKey: "Neuer Schlüssel, Epoche {{epoch}}.",
      refreshed: "Dieselben Personen, ein neuer Schlüssel, Epoche {{epoch}}.",
    },
    handedOver: "{{name}} hat übergeben, was vorher gezeichnet wurde.",
    somebody: "jemand",
    times: "({{count}}-mal)",
    codes: {
      "fingerprint-mismatch":
        "Eine Verbindung wurde abgelehnt (angeblich: {{name}}): Das Zertifikat gehörte nicht dazu. Vielleicht wollte jemand dazwischen.",
      "forged-signal": "Eine Verbindungsanfrage mit falscher Unterschrift wurde ignoriert.",
      "bad-association":
        "Eine Verbindung wurde abgelehnt, die ihre Herkunft nicht beweisen konnte (angeblich: {{name}}).",
      "bad-credential": "Eine Nachricht mit falscher Unterschrift wurde ignoriert (angeblich: {{name}}).",
      "bad-frame": "Fehlerhafte Daten wurden ignoriert (von: {{name}}).",
      obstruction:
        "{{name}} hält die anderen auf und bleibt eine Weile draußen. Ein schlechtes Netz kann der Grund sein.",
      "failed-confirmation":
        "Jemand konnte nicht beweisen, denselben Schlüssel zu haben ({{name}}). Ein neuer wird vereinbart.",
      "agreement-fault": "Die Regeln der Schlüsselvereinbarung wurden verletzt (von: {{name}}). Sie wird wiederholt.",
      undecryptable: "Eine Nachricht ließ sich nicht entschlüsseln und wurde ignoriert (von: {{name}}).",
      "invalid-content": "Eine ungültige Zeichnung wurde ignoriert (von: {{name}}).",
    },
  },
  board: {
    label: "Whiteboard",
    menu: "Menü des Whiteboards",
    loading: "Das Whiteboard wird geladen…",
    failed: "Das Whiteboard funktioniert nicht mehr.",
    failedHint: "Nichts ist verloren: Was gezeichnet wurde, bleibt erhalten.",
    reload: "Whiteboard neu laden",
  },
}
