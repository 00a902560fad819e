/**
 * A French text with no-break spaces before the marks that French sets apart, and within quotation marks. Otherwise a
 * line could begin with a colon. The texts are written with ordinary spaces, which a reader of the source can see.
 */
export function unbroken(text: string): string {
  return text.replaceAll(/ (?=[:;?!»%])/gu, "\u00a0").replaceAll("« ", "«\u00a0")
}
