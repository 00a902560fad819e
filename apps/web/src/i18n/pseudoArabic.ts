const ARABIC = "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"

/** English in Arabic letters, a third longer, with its placeholders: for a look at the layout from right to left. */
export function pseudoArabic<T>(texts: T): T {
  if (typeof texts === "string")
    return texts
      .split(/(\{\{.*?\}\})/u)
      .map(disguised)
      .join("") as T
  if (typeof texts !== "object" || texts === null) return texts
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, text]) => formsOf(key).map((form) => [form, pseudoArabic(text)])),
  ) as T
}

/** Arabic has six plural forms, English two. */
function formsOf(key: string): readonly string[] {
  const [, base] = /^(.*)_other$/u.exec(key) ?? []
  return base === undefined ? [key] : ["zero", "two", "few", "many", "other"].map((form) => `${base}_${form}`)
}

function disguised(text: string): string {
  if (text.startsWith("{{")) return text
  return text
    .replaceAll(/[a-z]/giu, (letter) => ARABIC[(letter.codePointAt(0) ?? 0) % ARABIC.length] ?? letter)
    .replaceAll(/([ا-ي]{3})(?=[ا-ي])/gu, "$1ـ")
}
