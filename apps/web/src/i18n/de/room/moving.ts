import type { Texts } from "../../en/index.ts"

export const moving: Texts["moving"] = {
  open: "In einer neuen Konferenz weitermachen",
  hint: "Das Whiteboard wird in eine neue Konferenz mit demselben Titel und denselben Regeln kopiert. Diese Konferenz bleibt, wie sie ist. Chat, Dateien und Abstimmungen bleiben hier.",
  rules: "Dort haben Sie die Leitung und lassen andere herein.",
  tell: "Den neuen Link an alle hier schicken",
  tellHint: "Alle entscheiden selbst, ob sie mitkommen. Ohne das haben Sie eine Kopie des Whiteboards für sich.",
  go: "Dort weitermachen",
  message: "Wir machen hier weiter: {{url}}",
  failed: "Die neue Konferenz konnte nicht gestartet werden. Versuchen Sie es noch einmal.",
}
