import type { Texts } from "../en/index.ts"

export const part: Texts["part"] = {
  broken: "Dieser Teil der Seite konnte nicht geladen werden.",
  hint: "Laden Sie die Seite neu. Sie kommen dorthin zurück, wo Sie sind.",
  load: "Neu laden",
  later: "Später",
}

export const update: Texts["update"] = {
  ready: "Es gibt eine neue Version von Keymoot.",
  load: "Aktualisieren",
  hint: "Ihre Konferenz geht dort weiter, wo sie war.",
  forms: "Formulare, die Sie nicht abgeschickt haben, werden geleert.",
  later: "Später",
  weAreOlder: "Laden Sie diese Seite neu: Andere verwenden eine neuere Version.",
  reload: "Neu laden",
  theyAreOlder_one: "{{names}} verwendet eine ältere Version. Bitten Sie darum, die Seite neu zu laden.",
  theyAreOlder_other: "{{names}} verwenden eine ältere Version. Bitten Sie darum, die Seite neu zu laden.",
  manyAreOlder_one: "{{count}} Person verwendet eine ältere Version. Bitten Sie darum, die Seite neu zu laden.",
  manyAreOlder_other: "{{count}} Personen verwenden eine ältere Version. Bitten Sie darum, die Seite neu zu laden.",
}
