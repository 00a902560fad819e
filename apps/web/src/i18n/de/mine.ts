import type { Texts } from "../en/index.ts"

export const mine: Texts["mine"] = {
  title: "Meine Konferenzen",
  hint: "Die dieser Browser nicht verlassen hat: Wer ihn benutzt, kann als Sie dorthin zurück. Nur dieses Gerät bewahrt das auf, bis Sie sie verlassen, hier vergessen oder sie vorbei sind.",
  none: "Es gibt keine.",
  count_one: "{{count}} Konferenz",
  count_other: "{{count}} Konferenzen",
  untitled: "Konferenz {{number}}…",
  opens: "Öffnet {{time}}",
  ends: "Bis {{time}}",
  return: "Zurück zu {{name}}",
  forget: "{{name}} vergessen",
  forgetAll: "Alle vergessen",
}
