import { Direction } from "radix-ui"
import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"

/** Menus and tabs follow the direction of the language: otherwise they run from left to right. */
export function PageDirection({ children }: { readonly children: ReactNode }) {
  const { i18n } = useTranslation()
  return <Direction.Provider dir={i18n.dir()}>{children}</Direction.Provider>
}
