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
    admission: "Wer hinein darf",
    admissions: {
      link: "alle, die den Link haben",
      roster: "nur Personen, die ich nenne",
    },
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
      majority: "Für Benannte: Der Schlüssel entsteht mit mehr als der Hälfte. Auch wer nicht da ist, kann ihn kennen.",
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
  roster: {
    people_one: "{{count}} Person außer Ihnen",
    people_other: "{{count}} Personen außer Ihnen",
    card: "Karte einer Person einfügen",
    hint: "Alle kopieren ihre eigene Karte auf dieser Seite und schicken sie Ihnen. Den Link brauchen sie außerdem.",
    missing: "Fügen Sie die Karte mindestens einer weiteren Person ein.",
    invalid: "Das ist keine vollständige Karte. Kopieren Sie sie noch einmal, vom ersten bis zum letzten Zeichen.",
    twice: "{{name}} steht schon auf der Liste.",
    added: "{{name}} steht auf der Liste.",
    removed: "{{name}} steht nicht mehr auf der Liste.",
    remove: "{{name}} von der Liste nehmen",
    myCard: "Meine Karte",
    myCardHint:
      "Wer eine Konferenz für benannte Personen macht, braucht Ihre Karte. Sie enthält Ihren Namen und Ihren öffentlichen Schlüssel und nichts Geheimes.",
    copy: "Meine Karte kopieren",
    copied: "Karte kopiert",
    copyFailed:
      "Ihre Karte ließ sich nicht machen. Erlauben Sie dieser Seite, Daten zu speichern, und versuchen Sie es noch einmal.",
    cardOf: "Karte von {{name}}",
    waiting_one:
      "Noch eine der benannten Personen muss kommen, bevor es einen Schlüssel geben kann. Was Sie inzwischen tun, bleibt erhalten.",
    waiting_other:
      "Noch {{count}} der benannten Personen müssen kommen, bevor es einen Schlüssel geben kann. Was Sie inzwischen tun, bleibt erhalten.",
    absent_one: "Benannt und nicht hier: {{names}}.",
    absent_other: "Benannt und nicht hier: {{names}}.",
    everybodyHere: "Alle, die hinein dürfen, sind hier.",
    majority:
      "Auch benannte Personen, die nicht da sind, können den Schlüssel kennen: Er ändert sich nicht, wenn jemand kommt oder geht.",
  },
  protection: {
    title: "Was geschützt ist",
    content:
      "Die Menschen in einer Konferenz vereinbaren untereinander einen Schlüssel. Zeichnungen, Nachrichten und Namen werden damit im Browser verschlüsselt, und er ändert sich, sobald jemand kommt oder geht (nur „Mehrheit“ behält ihn für die Benannten).",
    server:
      "Der Server bringt die Menschen zusammen. Er sieht Internetadressen, die Nummer der Konferenz, wann Nachrichten laufen und wie groß sie sind. Er kann sie weder lesen noch ändern noch unbemerkt jemanden hinzufügen.",
    link: "Wer den Link hat, kann teilnehmen, wenn die Konferenz nicht nur für benannte Personen ist. Geben Sie ihn nur Menschen, die dabei sein sollen, und sehen Sie nach, wer in der Konferenz ist.",
    device:
      "Dieses Gerät behält eine verschlossene Kopie, damit ein Neuladen nichts verliert, bis Sie die Konferenz verlassen. Browser schützen ihren Speicher nicht vor jemandem, der Ihr Gerät entsperren kann.",
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
      "invalid-card":
        "Eine Karte der zugelassenen Personen ließ sich nicht lesen. Nehmen Sie sie heraus und fügen Sie sie noch einmal ein.",
      "not-admitted":
        "Sie stehen nicht auf der Liste dieser Konferenz: Nur die dort benannten Personen können hinein. Bitten Sie die Person, die Sie eingeladen hat, um eine Konferenz mit Ihnen auf der Liste.",
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
      "too-soon":
        "Eben erst wurde ein neuer Schlüssel vereinbart. Versuchen Sie es in einer Viertelminute noch einmal.",
      "wrong-passphrase":
        "Das ist nicht die Passphrase dieser Sicherung. Achten Sie auf Großbuchstaben und Leerzeichen und versuchen Sie es noch einmal.",
      "damaged-backup":
        "Diese Datei ist keine Sicherung einer Identität, oder sie ist beschädigt. Nehmen Sie eine andere Kopie.",
      "newer-backup":
        "Diese Sicherung stammt von einer neueren Version von Keymoot. Laden Sie die Seite neu oder nehmen Sie einen neueren Server.",
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
    waiting: "Warten auf weitere Personen…",
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
    outOfReach_one: "{{names}} ist nicht erreichbar.",
    outOfReach_other: "{{names}} sind nicht erreichbar.",
    outOfReachMany_one: "{{count}} Person ist nicht erreichbar.",
    outOfReachMany_other: "{{count}} Personen sind nicht erreichbar.",
    hereAlone: "Sie sind allein hier.",
    here_one: "Hier sind Sie und {{count}} andere Person.",
    here_other: "Hier sind Sie und {{count}} andere.",
    outOfReachHint: "Was Sie tun, bleibt erhalten und wird zusammengeführt.",
    hide: "Ausblenden",
    merged: "Wieder verbunden mit: {{names}}. Was beide Seiten getan haben, wurde zusammengeführt.",
    joining: "Die anderen werden gesucht…",
    receiving: "Die Tafel kommt von {{name}}…",
    receivingProgress: "Wie viel angekommen ist",
    storageFailing:
      "Dieses Gerät konnte keine Kopie der Konferenz behalten. Neues geht verloren, wenn diese Seite schließt, bevor andere es haben. Schaffen Sie Platz.",
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
    interrupted: "Die Seite wurde geschlossen, bevor sicher war, dass die Nachricht angekommen ist.",
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
    byServer: "Über den Server verbunden, der nichts davon lesen kann. Das ist langsamer.",
    byMember: "Über jemand anderen hier verbunden, der nichts davon lesen kann. Das ist langsamer.",
    verify: "Überprüfen",
    codes: "Codes",
    verified: "Von Ihnen überprüft",
    changedKey: "Anderer Schlüssel als der überprüfte",
  },
  alarm: {
    changedKey:
      "Vorsicht: Das ist nicht {{name}}, wie Sie die Person überprüft haben, sondern jemand mit einem anderen Schlüssel: jemand Fremdes, oder dieselbe Person an einem neuen Gerät.",
    row: "Sagen Sie hier nichts Vertrauliches, bevor Sie die Codes verglichen haben. Sind sie gleich, überprüfen Sie diese Person neu; wenn nicht, gehen Sie und treffen Sie sich über einen anderen Link.",
    compare: "Codes vergleichen",
    hide: "Diese Warnung ausblenden",
  },
  verify: {
    title: "{{name}} überprüfen",
    how: "Treffen Sie {{name}}, oder telefonieren Sie so, dass Sie die Stimme erkennen. Sehen Sie beide hier dasselbe, ist niemand dazwischen. Ziffern und Wörter sagen dasselbe: Eines davon genügt.",
    forms: "Arten zu vergleichen",
    form: { digits: "Ziffern", words: "Wörter", scan: "Scannen" },
    wordsHint: "Lesen Sie sie abwechselnd vor, in dieser Reihenfolge.",
    qr: "Code, den {{name}} scannt",
    qrHint: "Lassen Sie {{name}} das scannen, oder scannen Sie den Code, den {{name}} hier sieht.",
    scan: "Code von {{name}} scannen",
    cameraPicture: "Bild der Kamera",
    camera: {
      refused:
        "Der Browser lässt diese Seite die Kamera nicht verwenden. Erlauben Sie es in den Einstellungen der Seite, oder vergleichen Sie die Ziffern.",
      missing: "Es wurde keine Kamera gefunden. Vergleichen Sie stattdessen die Ziffern oder die Wörter.",
      busy: "Die Kamera wird gerade anderswo verwendet. Schließen Sie das und versuchen Sie es noch einmal, oder vergleichen Sie die Ziffern.",
    },
    scanned: {
      notACode: "Das ist kein Code zum Überprüfen bei Keymoot. Suchen Sie den unter „Überprüfen“, „Scannen“.",
      otherPerson:
        "Dieser Code ist für zwei andere. Stammt er vom Bildschirm von {{name}} und ist für Sie gemacht, dann ist jemand dazwischen: Trauen Sie dieser Verbindung nicht.",
    },
    same: "Sie sind gleich",
    notSame: "Sie unterscheiden sich",
    differs:
      "Dann ist vielleicht jemand zwischen Ihnen und {{name}}. Sagen Sie hier nichts Vertrauliches. Stellen Sie sicher, dass beide den Code des anderen offen haben; unterscheiden sie sich immer noch, gehen Sie und schicken Sie auf anderem Weg einen neuen Link.",
    done: "Sie haben {{name}} überprüft. Das bleibt, in jeder Konferenz und unter jedem Namen.",
    withdraw: "Überprüfung zurücknehmen",
    notStored:
      "Das konnte auf diesem Gerät nicht gespeichert werden und zählt deshalb nicht. Schaffen Sie Platz und versuchen Sie es noch einmal.",
    goneTitle: "Überprüfen",
    gone: "Diese Person hat die Konferenz verlassen.",
    close: "Schließen",
  },
  invitation: {
    show: "QR-Code zeigen",
    title: "Einladung",
    qr: "Der Einladungslink als QR-Code",
    hint: "Wer das scannt, kann beitreten. Zeigen Sie es nur denen, die Sie hier haben wollen.",
  },
  news: {
    joined_one: "{{names}} ist beigetreten.",
    joined_other: "{{names}} sind beigetreten.",
    left_one: "{{names}} ist gegangen.",
    left_other: "{{names}} sind gegangen.",
  },
  security: {
    title: "Sicherheit",
    age: "Alter des Schlüssels",
    refresh: "Schlüssel jetzt erneuern",
    refreshing: "Ein neuer Schlüssel wird vereinbart…",
    epoch: "Epoche",
    module: "Schlüsselvereinbarung",
    modules: {
      tgdh: "TGDH (Baum aus Schlüsselpaaren)",
      str: "STR (Kette aus Schlüsselpaaren)",
      bd: "BD (Ring, alle wirken mit)",
      gdh: "GDH (von Hand zu Hand)",
      ckd: "CKD (ein Mitglied verteilt)",
      majority: "Mehrheit (der Benannten)",
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
    merged: "Wieder verbunden mit: {{names}}; was beide Seiten getan haben, wurde zusammengeführt.",
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
      equivocation:
        "{{name}} hat verschiedenen Personen unter einer Nummer Verschiedenes gesagt und beides unterschrieben.",
      divergence: "{{name}} wurde etwas anderes gesagt als Ihnen. Es ist nicht bekannt, wer gelogen hat.",
      "failed-confirmation":
        "Jemand konnte nicht beweisen, denselben Schlüssel zu haben ({{name}}). Ein neuer wird vereinbart.",
      "agreement-fault": "Die Regeln der Schlüsselvereinbarung wurden verletzt (von: {{name}}). Sie wird wiederholt.",
      undecryptable: "Eine Nachricht ließ sich nicht entschlüsseln und wurde ignoriert (von: {{name}}).",
      "changed-key":
        "Vorsicht: Jemand mit dem Namen {{name}}, den Sie überprüft haben, hat einen anderen Schlüssel. Vergleichen Sie die Codes, bevor Sie dieser Person trauen.",
      "altered-verifications":
        "Die Liste der Personen, die Sie überprüft haben, wurde von fremder Hand verändert und wird nicht verwendet. Überprüfen Sie sie neu.",
      "invalid-content": "Eine ungültige Zeichnung wurde ignoriert (von: {{name}}).",
      "not-admitted":
        "Jemand hat den Link, steht aber nicht auf der Liste dieser Konferenz und wurde nicht hereingelassen.",
    },
  },
  settings: {
    title: "Einstellungen",
    theme: "Farben",
    themes: { system: "Wie das System", light: "Hell", dark: "Dunkel" },
    language: "Sprache",
    byBrowser: "Wie der Browser",
    notifications: "Neue Nachrichten melden",
    notificationsHint: "Nur solange diese Seite nicht zu sehen ist, und ohne Inhalt.",
    notificationsRefused: "Der Browser erlaubt keine Meldungen. Ändern Sie das in den Einstellungen der Seite.",
    newMessage: "Neue Nachricht in der Konferenz",
  },
  identity: {
    title: "Meine Identität",
    inUse: "Verlassen Sie die Konferenz, um Ihre Identität zu ändern.",
    none: "Noch keine. Eine entsteht, wenn Sie eine Konferenz beginnen oder beitreten, oder hier unten.",
    key: "Schlüssel {{digits}}…",
    name: "Name dieser Identität",
    rename: "Umbenennen",
    remove: "Diese Identität entfernen",
    removeHint:
      "{{name}} von diesem Gerät entfernen? Ohne Sicherung ist der Schlüssel für immer verloren, und niemand erkennt Sie mehr daran.",
    keep: "Behalten",
    removeNow: "Entfernen",
    working: "Einen Moment…",
    new: "Neue Identität, auf Wunsch mit Sicherung",
    newHint:
      "Eine Sicherung gibt es nur zusammen mit einer neuen Identität: Danach kann der Schlüssel diesen Browser nicht mehr verlassen. Wer Datei und Passphrase hat, kann Sie sein; bewahren Sie beides gut auf.",
    newName: "Name",
    passphrase: "Passphrase für die Sicherung (leer: keine Sicherung)",
    again: "Passphrase noch einmal",
    short: "Mindestens {{count}} Zeichen: vier Wörter, die niemand errät.",
    different: "Die beiden Passphrasen unterscheiden sich.",
    create: "Diese Identität anlegen",
    saved: "Die Sicherung wurde als Datei gespeichert. Bewahren Sie sie und die Passphrase sicher auf.",
    import: "Identität aus einer Sicherung einlesen",
    file: "Sicherungsdatei",
    itsPassphrase: "Passphrase",
    restore: "Einlesen",
    restored: "Fertig: Sie sind jetzt diese Identität.",
  },
  keyPicture: {
    tree_one: "Schlüsselbaum mit {{count}} Blatt: {{nested}}.",
    tree_other: "Schlüsselbaum mit {{count}} Blättern, {{height}} Ebenen hoch: {{nested}}.",
    ring_one: "Schlüsselring aus {{count}} Person: {{names}}.",
    ring_other: "Schlüsselring aus {{count}} Personen: {{names}}.",
    chain_one: "Schlüsselkette aus {{count}} Person: {{names}}.",
    chain_other: "Schlüsselkette aus {{count}} Personen: {{names}}.",
    star_one: "Schlüsselstern aus {{count}} Person: {{name}}.",
    star_other: "Schlüsselstern aus {{count}} Personen um {{name}}.",
    quorum_one: "Quorum einer Liste von {{count}} Person: {{names}}.",
    quorum_other: "Quorum: {{of}} von {{count}} Personen der Liste machen den Schlüssel: {{names}}.",
    newOf: "Neu durch die letzte Änderung: {{names}}.",
    new: "Neu durch die letzte Änderung",
    contributed: "Hat zu diesem Schlüssel beigetragen",
    about: {
      tree: "Jede Gabel ist ein Schlüssel, den nur die Personen rechts davon teilen; aus dem ganz links wird der der Konferenz.",
      ring: "Alle teilen mit beiden Nachbarn einen Schlüssel; aus allen zusammen wird der der Konferenz.",
      chain: "Die Anteile kamen von oben nach unten in den Schlüssel.",
      star: "Die Person ganz oben hat den Schlüssel gemacht und allen anderen gegeben.",
      quorum: "Für einen Schlüssel genügt die Mehrheit der Liste; die anderen übernehmen ihn, wenn sie kommen.",
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
