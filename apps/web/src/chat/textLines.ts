/** Between lines of a text, in any program that shows the file. */
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u
const TEXT_INDENT = "    "

/** A text that a person wrote, with no line at the margin. */
export function indented(text: string): string {
  const lines = text.split(LINE_BREAK)
  return lines.map((line) => TEXT_INDENT + line).join("\n")
}

export function inOneLine(text: string): string {
  return text.split(LINE_BREAK).join(" ")
}
