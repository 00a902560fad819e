const UNITS = ["byte", "kilobyte", "megabyte"] as const

/** In decimal units, with at most one digit after the point. */
export function formatBytes(bytes: number, language: string): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const unit = UNITS[power] ?? "byte"
  // The short form of "bytes" is the word without its plural.
  const unitDisplay = power === 0 ? "long" : "short"
  const options = { style: "unit", unit, unitDisplay, maximumFractionDigits: power === 0 ? 0 : 1 } as const
  // Non-breaking: a number and its unit stay on one line.
  return new Intl.NumberFormat(language, options).format(bytes / 1000 ** power).replaceAll(" ", "\u00A0")
}
