import type { Texts } from "../en/index.ts"

export const mine: Texts["mine"] = {
  title: "Meine Konferenzen",
  hint: "Konferenzen, die Sie nicht verlassen haben. Wer diesen Browser benutzt, kann als Sie dorthin zurück. Die Liste ist nur auf diesem Gerät, und eine Konferenz bleibt darauf, bis Sie sie verlassen oder hier vergessen, auch wenn sie vorbei ist.",
  none: "Keine Konferenzen.",
  count_one: "{{count}} Konferenz",
  count_other: "{{count}} Konferenzen",
  with: "Mit {{names}}",
  untitled: "Konferenz vom {{time}}",
  entered: "Betreten am {{time}}",
  opens: "Öffnet {{time}}",
  ends: "Bis {{time}}",
  ended: "Vorbei seit {{time}}",
  return: "Zurück zu {{name}}",
  forget: "{{name}} vergessen",
  forgetAll: "Alle vergessen",
  forgetHint_one: "Diese Konferenz endgültig von diesem Gerät löschen? Vielleicht gibt es keine andere Kopie.",
  forgetHint_other:
    "{{count}} Konferenzen endgültig von diesem Gerät löschen? Vielleicht gibt es keine anderen Kopien.",
  keep: "Behalten",
  forgetNow: "Endgültig vergessen",
}
