import type { Texts } from "./en/index.ts"

/** French and Spanish have a category of their own for millions. Our texts do not differ in it. */
export function withMillions(texts: Texts): object {
  return copyOf(texts) as object
}

function copyOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, text]) => {
      const copied = [key, copyOf(text)]
      return key.endsWith("_other") ? [copied, [key.replace(/_other$/u, "_many"), text]] : [copied]
    }),
  )
}

/** Japanese has one form for every number. */
export type TextsWithoutOne = WithoutOne<Texts>
type WithoutOne<T> = T extends string
  ? string
  : { [K in keyof T as K extends `${string}_one` ? never : K]: WithoutOne<T[K]> }
