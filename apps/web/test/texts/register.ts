/** By language, words of another register than ours: pronouns, imperatives and other verb forms. */
export const OTHER_REGISTER: Readonly<Record<string, RegExp>> = {
  de: wordsOf(
    "du dich dir dein deine deinem deinen deiner deines bist hast kannst möchtest solltest willst",
    "besuche drücke erstelle exportiere folge füge gehe halte informiere klicke lade lass lies lösche nutze öffne",
    "schiebe schließe schreibe sende speichere teile veröffentliche verschiebe verwende versuche wähle ziehe",
  ),
  // These forms are imperatives only at the start of a clause: "que pulse" is about somebody else.
  es: new RegExp(
    [
      wordsOf("usted ustedes desea debería").source,
      String.raw`(?:^|[.:;,?!(]|(?<!\p{L})[oye](?=\s))\s*` +
        wordsOf(
          "abra arrastre cierre compare elija elíjalo envíe envíelo escriba guarde haga inserte inténtelo instale lea",
          "mantenga pregúntele presione pulse seleccione siga suelte utilice vea visite vuelva",
        ).source,
    ].join("|"),
    "iu",
  ),
  fr: wordsOf("tu toi ton ta tes", "appuie choisis clique colle maintiens relâche sélectionne"),
  // The plain forms of a verb at the end of a sentence; a command ends in a noun.
  ja: /(?:だ|である|しろ|せよ|なさい|してくれ|ましょう)(?:。|$)/mu,
}

function wordsOf(...lists: readonly string[]): RegExp {
  const words = lists.flatMap((list) => list.split(" ")).join("|")
  return new RegExp(String.raw`(?<!\p{L})(?:${words})(?!\p{L})`, "iu")
}
