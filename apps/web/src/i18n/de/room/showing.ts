import type { Texts } from "../../en/index.ts"

export const showing: Texts["showing"] = {
  slides: "Rahmen als Folien",
  noSlides: "Es gibt noch keine Rahmen. Zeichnen Sie einen mit dem Rahmenwerkzeug.",
  count_one: "{{count}} Folie",
  count_other: "{{count}} Folien",
  slide: "Folie {{at}} von {{all}}",
  previous: "Vorige Folie",
  next: "Nächste Folie",
  bring: "Alle hierher holen",
  close: "Folien schließen",
  brought: "{{name}} hat Sie hierher geholt. Sie sehen, was {{name}} sieht, bis Sie das Whiteboard bewegen.",
}
