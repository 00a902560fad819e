type Section = Readonly<Record<string, string>>

/** German texts that the whiteboard lacks and would show in English. They address nobody. */
export const MORE_GERMAN: Readonly<Record<string, Section>> = {
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
    toggleGrid: "Raster ein- oder ausblenden",
    showFonts: "Schriften zeigen",
    zoomToFitViewport: "In das Fenster einpassen",
    zoomToFitSelection: "Auf die Auswahl einpassen",
    zoomToFit: "Alles einpassen",
    autoResize: "Breite dem Text anpassen",
    imageCropping: "Bild zuschneiden",
    unCroppedDimension: "Größe ohne Zuschnitt",
    copyElementLink: "Link zum Objekt kopieren",
    wrapSelectionInFrame: "Rahmen um die Auswahl legen",
  },
  search: {
    title: "Auf dem Whiteboard suchen",
    noMatch: "Nichts gefunden…",
    singleResult: "Treffer",
    multipleResults: "Treffer",
    placeholder: "Text auf dem Whiteboard suchen…",
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
    selection: "Auswahl",
  },
  hints: {
    dismissSearch: "Escape beendet die Suche",
    arrowTool: "Klicken setzt mehrere Punkte, Ziehen zeichnet eine Linie. {{arrowShortcut}} wechselt die Pfeilart.",
    createFlowchart: "CtrlOrCmd und eine Pfeiltaste ergeben ein Flussdiagramm",
    enterCropEditor: "Doppelklick oder Eingabetaste schneidet das Bild zu",
    leaveCropEditor: "Klick neben das Bild, Eingabetaste oder Escape beendet das Zuschneiden",
  },
  helpDialog: {
    createFlowchart: "Flussdiagramm aus einer Form beginnen",
    navigateFlowchart: "Im Flussdiagramm bewegen",
    cropStart: "Bild zuschneiden",
    cropFinish: "Zuschneiden beenden",
  },
  stats: {
    shapes: "Formen",
    fullTitle: "Whiteboard und Formen",
    generalStats: "Allgemein",
    elementProperties: "Eigenschaften der Form",
  },
  toast: { elementLinkCopied: "Link kopiert" },
  fontList: {
    sceneFonts: "Auf diesem Whiteboard",
    availableFonts: "Verfügbare Schriften",
    empty: "Keine Schrift gefunden",
  },
}

const GERMAN = /[\\/]locales[\\/]de-DE-\w+\.js/
const EXPORTS = /export\s*\{([^}]*)\}/

/** Adds these texts to the whiteboard's German module. Returns the code of other files unchanged. */
export function withMoreGerman(code: string, id: string): string {
  if (!GERMAN.test(id)) return code
  const listed = EXPORTS.exec(code)?.[1]
  if (listed === undefined) throw new Error("Excalidraw's languages have another form: adapt boardGerman.ts")
  const names = listed.split(",").map((entry) => entry.trim().split(/\s+as\s+/))
  const locals = new Map(names.map(([local = "", exported = local]) => [exported, local]))
  const additions = Object.entries(MORE_GERMAN).map(([section, texts]) => {
    const local = locals.get(section)
    if (local !== undefined) return `Object.assign(${local}, ${JSON.stringify(texts)})`
    return `const more_${section} = ${JSON.stringify(texts)}\nexport { more_${section} as ${section} }`
  })
  return `${code}\n${additions.join("\n")}\n`
}
