import type { Texts } from "./en/index.ts"

/**
 * French and Spanish have a category of their own for millions. Our texts do not differ in it.
 * @param spaced sets the spaces of each text as its language does
 */
export function withMillions(texts: Texts, spaced = (text: string) => text): object {
  return copyOf(texts, spaced) as object
}

function copyOf(value: unknown, spaced: (text: string) => string): unknown {
  if (typeof value === "string") return spaced(value)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, text]) => {
      const copied = copyOf(text, spaced)
      const many = key.replace(/_other$/u, "_many")
      return (many === key ? [key] : [key, many]).map((each) => [each, copied])
    }),
  )
}

/** Japanese has one form for every number. */
export type TextsWithoutOne = WithoutOne<Texts>
type WithoutOne<T> = T extends string
  ? string
  : { [K in keyof T as K extends `${string}_one` ? never : K]: WithoutOne<T[K]> }
