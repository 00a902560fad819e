import { de } from "./boardTexts/de.ts"
import { es } from "./boardTexts/es.ts"
import { fr } from "./boardTexts/fr.ts"
import { ja } from "./boardTexts/ja.ts"

export type BoardTexts = { readonly [name: string]: string | BoardTexts }

/**
 * Texts of the whiteboard, by its code of a language. Each is missing there, so that English would appear, or is wrong
 * there. Most of the wrong ones address people in another register than our own texts.
 */
export const BOARD_TEXTS: Readonly<Record<string, BoardTexts>> = { "de-DE": de, "es-ES": es, "fr-FR": fr, "ja-JP": ja }

const LOCALE = /[\\/]locales[\\/]([a-z]{2}-[A-Z]{2})-\w+\.js/
const EXPORTS = /export\s*\{([^}]*)\}/

/** Adds these texts to the whiteboard's module of a language. Returns the code of other files unchanged. */
export function withBoardTexts(code: string, id: string): string {
  const texts = BOARD_TEXTS[LOCALE.exec(id)?.[1] ?? ""]
  if (texts === undefined) return code
  const listed = EXPORTS.exec(code)?.[1]
  if (listed === undefined) throw new Error("Excalidraw's languages have another form: adapt boardTexts.ts")
  const names = listed.split(",").map((entry) => entry.trim().split(/\s+as\s+/))
  const locals = new Map(names.map(([local = "", exported = local]) => [exported, local]))
  const additions = Object.entries(texts).flatMap(([section, added]) => {
    if (typeof added === "string") throw new Error(`"${section}" of the board's texts is no section`)
    const local = locals.get(section)
    if (local !== undefined) return assignments(local, added)
    return `const more_${section} = ${JSON.stringify(added)}\nexport { more_${section} as ${section} }`
  })
  return `${code}\n${additions.join("\n")}\n`
}

/** One statement for each text, because a section of a section must keep its other texts. */
function assignments(target: string, texts: BoardTexts): readonly string[] {
  return Object.entries(texts).flatMap(([name, text]) => {
    const member = `${target}[${JSON.stringify(name)}]`
    if (typeof text === "string") return `${member} = ${JSON.stringify(text)}`
    return [`${member} ??= {}`, ...assignments(member, text)]
  })
}
