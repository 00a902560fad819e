/** The options of a vote for or against. They are sent as words of the author's language, so each page knows them all. */
const OPTIONS = {
  en: ["👍 For", "👎 Against", "🤷 Abstain"],
  de: ["👍 Dafür", "👎 Dagegen", "🤷 Enthaltung"],
  es: ["👍 A favor", "👎 En contra", "🤷 Abstención"],
  fr: ["👍 Pour", "👎 Contre", "🤷 Abstention"],
  ja: ["👍 賛成", "👎 反対", "🤷 棄権"],
} as const satisfies Record<string, readonly string[]>

/** In this language; in English if there is no translation. */
export function quickOptions(language: string): readonly string[] {
  const base = language.split("-")[0] ?? ""
  return new Map<string, readonly string[]>(Object.entries(OPTIONS)).get(base) ?? OPTIONS.en
}

/** The options as a reader of this language sees them. Those that are no words of ours stay as they are. */
export function optionsIn(language: string, options: readonly string[]): readonly string[] {
  const written = JSON.stringify(options)
  const isQuick = Object.values(OPTIONS).some((words) => JSON.stringify(words) === written)
  return isQuick ? quickOptions(language) : options
}
