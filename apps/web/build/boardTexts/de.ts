import type { BoardTexts } from "../boardTexts.ts"

/** German. They say "Sie", or address nobody. */
export const de: BoardTexts = {
  labels: {
    changeStroke: "Strichfarbe ändern",
    changeBackground: "Hintergrundfarbe ändern",
    arrowhead_crowfoot_many: "Krähenfuß (viele)",
    arrowhead_crowfoot_one: "Krähenfuß (eins)",
    arrowhead_crowfoot_one_or_many: "Krähenfuß (eins oder viele)",
    more_options: "Weitere Optionen",
    arrowtypes: "Pfeilart",
    arrowtype_sharp: "Eckiger Pfeil",
    arrowtype_round: "Gebogener Pfeil",
    arrowtype_elbowed: "Rechtwinkliger Pfeil",
    clearCanvas: "Zeichenfläche leeren",
    yourName: "Ihr Name",
    toggleGrid: "Raster ein- oder ausblenden",
    libraryLoadingMessage: "Bibliothek wird geladen…",
    loadingScene: "Zeichnung wird geladen…",
    loadScene: "Zeichnung aus Datei laden",
    showFonts: "Schriften zeigen",
    theme: "Design",
    link: {
      hint: "Link hier eingeben oder einfügen",
      goToElement: "Zum verlinkten Objekt gehen",
    },
    lineEditor: { editArrow: "Pfeil bearbeiten" },
    followUs: "Uns folgen",
    discordChat: "Chat auf Discord",
    zoomToFitViewport: "In das Fenster einpassen",
    zoomToFitSelection: "Auf die Auswahl einpassen",
    zoomToFit: "Alles einpassen",
    installPWA: "Excalidraw auf diesem Gerät installieren (PWA)",
    autoResize: "Breite dem Text anpassen",
    imageCropping: "Bild zuschneiden",
    unCroppedDimension: "Größe ohne Zuschnitt",
    copyElementLink: "Link zum Objekt kopieren",
    linkToElement: "Mit einem Objekt verlinken",
    wrapSelectionInFrame: "Rahmen um die Auswahl legen",
  },
  elementLink: {
    title: "Mit einem Objekt verlinken",
    desc: "Klicken Sie auf eine Form, oder fügen Sie einen Link ein.",
    notFound: "Das verlinkte Objekt ist nicht auf dem Whiteboard.",
  },
  library: {
    hint_emptyLibrary:
      "Wählen Sie ein Element auf der Zeichenfläche, um es hier hinzuzufügen. Oder installieren Sie unten eine Bibliothek aus dem öffentlichen Verzeichnis.",
    hint_emptyPrivateLibrary: "Wählen Sie ein Element auf der Zeichenfläche, um es hier hinzuzufügen.",
  },
  search: {
    title: "Auf dem Whiteboard suchen",
    noMatch: "Nichts gefunden…",
    singleResult: "Treffer",
    multipleResults: "Treffer",
    placeholder: "Text auf dem Whiteboard suchen…",
  },
  buttons: {
    exportImage: "Bild exportieren...",
    copyLink: "Link kopieren",
    systemMode: "Design des Systems",
  },
  alerts: {
    clearReset: "Dies löscht die ganze Zeichenfläche. Sind Sie sicher?",
    loadSceneOverridePrompt: "Das Laden einer Zeichnung ersetzt den vorhandenen Inhalt. Möchten Sie fortfahren?",
    collabStopOverridePrompt:
      "Das Ende der Sitzung überschreibt die zuvor auf diesem Gerät gespeicherte Zeichnung. Sind Sie sicher?\n\n(Um diese Zeichnung zu behalten, schließen Sie stattdessen den Browser-Tab.)",
    confirmAddLibrary: "Dies fügt Ihrer Bibliothek {{numShapes}} Form(en) hinzu. Sind Sie sicher?",
    imageDoesNotContainScene:
      "Dieses Bild scheint keine Zeichnungsdaten zu enthalten. Haben Sie beim Export das Einbetten der Szene eingeschaltet?",
    resetLibrary: "Dies leert Ihre Bibliothek. Sind Sie sicher?",
    collabOfflineWarning: "Keine Internetverbindung verfügbar.\nIhre Änderungen werden nicht gespeichert!",
  },
  errors: {
    imageInsertError: "Das Bild konnte nicht eingefügt werden. Versuchen Sie es später erneut...",
    cannotResolveCollabServer:
      "Keine Verbindung zum Server. Bitte laden Sie die Seite neu, und versuchen Sie es erneut.",
    saveLibraryError:
      "Die Bibliothek konnte nicht gespeichert werden. Speichern Sie sie in einer Datei, damit keine Änderungen verloren gehen.",
    collabSaveFailed:
      "Speichern auf dem Server ist nicht möglich. Falls das so bleibt, speichern Sie Ihre Arbeit in einer Datei.",
    collabSaveFailed_sizeExceeded:
      "Speichern auf dem Server ist nicht möglich: Die Zeichenfläche ist wohl zu groß. Speichern Sie Ihre Arbeit in einer Datei.",
    brave_measure_text_error: {
      line1:
        "Anscheinend verwenden Sie den Browser Brave mit der Einstellung <bold>Fingerabdrücke aggressiv blockieren</bold>.",
      line3:
        "Wir empfehlen dringend, diese Einstellung auszuschalten. Wie das geht, zeigen <link>diese Schritte</link>.",
      line4:
        "Falls Textelemente danach noch falsch aussehen, öffnen Sie bitte ein <issueLink>Ticket</issueLink> auf GitHub, oder schreiben Sie uns auf <discordLink>Discord</discordLink>",
    },
  },
  quickSearch: { placeholder: "Schnellsuche" },
  element: {
    rectangle: "Rechteck",
    diamond: "Raute",
    ellipse: "Ellipse",
    arrow: "Pfeil",
    line: "Linie",
    freedraw: "Freihand",
    text: "Text",
    image: "Bild",
    group: "Gruppe",
    frame: "Rahmen",
    magicframe: "Wireframe zu Code",
    embeddable: "Web-Einbettung",
    selection: "Auswahl",
    iframe: "IFrame",
  },
  hints: {
    dismissSearch: "Escape beendet die Suche",
    canvasPanning:
      "Ziehen bei gedrücktem Mausrad oder gedrückter Leertaste verschiebt die Zeichenfläche, ebenso das Hand-Werkzeug",
    arrowTool: "Klicken setzt mehrere Punkte, Ziehen zeichnet eine Linie. {{arrowShortcut}} wechselt die Pfeilart.",
    freeDraw: "Klicken und ziehen, am Ende loslassen",
    text: "Tipp: Sie können Text auch mit dem Auswahlwerkzeug einfügen, durch Doppelklick auf eine beliebige Stelle",
    text_editing: "Escape oder CtrlOrCmd+Eingabetaste beendet die Bearbeitung",
    lockAngle: "SHIFT halten, um den Winkel einzurasten",
    resize: "SHIFT halten, um die Proportionen zu erhalten,\nALT halten, um die Größe von der Mitte aus zu ändern",
    resizeImage: "SHIFT halten, um die Größe frei zu ändern,\nALT halten, um sie von der Mitte aus zu ändern",
    rotate: "SHIFT halten, um beim Drehen Winkel einzurasten",
    lineEditor_pointSelected: "Entf löscht die Punkte, CtrlOrCmd+D dupliziert sie, Ziehen verschiebt sie",
    lineEditor_nothingSelected:
      "Punkt zum Bearbeiten auswählen (mit SHIFT mehrere),\noder mit Alt klicken, um neue Punkte hinzuzufügen",
    publishLibrary: "Eigene Bibliothek veröffentlichen",
    createFlowchart: "CtrlOrCmd und eine Pfeiltaste ergeben ein Flussdiagramm",
    deepBoxSelect: "CtrlOrCmd halten, um innerhalb der Gruppe auszuwählen und nichts zu verschieben",
    eraserRevert: "Alt halten, um die zum Löschen markierten Elemente zu behalten",
    firefox_clipboard_write:
      'Diese Funktion wird wahrscheinlich verfügbar, wenn die Einstellung "dom.events.asyncClipboard.clipboardItem" auf "true" steht. Diese Einstellung finden Sie in Firefox unter "about:config".',
    disableSnapping: "CtrlOrCmd halten, um nicht einzurasten",
    enterCropEditor: "Doppelklick oder Eingabetaste schneidet das Bild zu",
    leaveCropEditor: "Klick neben das Bild, Eingabetaste oder Escape beendet das Zuschneiden",
  },
  canvasError: {
    canvasTooBigTip: "Tipp: Schieben Sie die am weitesten entfernten Elemente näher zusammen.",
  },
  helpDialog: {
    blog: "Unser Blog",
    createFlowchart: "Flussdiagramm aus einer Form beginnen",
    navigateFlowchart: "Im Flussdiagramm bewegen",
    github: "Ein Problem gefunden? Melden Sie es",
    howto: "Unsere Anleitungen",
    cropStart: "Bild zuschneiden",
    cropFinish: "Zuschneiden beenden",
  },
  stats: {
    shapes: "Formen",
    fullTitle: "Whiteboard und Formen",
    generalStats: "Allgemein",
    elementProperties: "Eigenschaften der Form",
  },
  toast: {
    copyToClipboardAsSvg: "{{exportSelection}} als SVG in die Zwischenablage kopiert\n({{exportColorScheme}})",
    pasteAsSingleElement:
      "Mit {{shortcut}} als einzelnes Element einfügen,\noder in einen vorhandenen Texteditor einfügen",
    unableToEmbed:
      "Diese Adresse darf derzeit nicht eingebettet werden. Auf GitHub können Sie beantragen, dass sie erlaubt wird",
    unrecognizedLinkFormat:
      "Der eingebettete Link hat nicht die erwartete Form. Bitte fügen Sie die Zeichenkette ein, die die Website zum Einbetten anbietet",
    elementLinkCopied: "Link kopiert",
  },
  fontList: {
    badge: { old: "alt" },
    sceneFonts: "Auf diesem Whiteboard",
    availableFonts: "Verfügbare Schriften",
    empty: "Keine Schrift gefunden",
  },
}
