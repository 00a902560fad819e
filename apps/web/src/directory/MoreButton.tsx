import type { RefObject } from "react"
import { useTranslation } from "react-i18next"
import { useFocusBack } from "../ui/useFocusBack.ts"

type MoreButtonProps = {
  /** Gets the focus when the last page is shown, and this button goes. */
  readonly list: RefObject<HTMLElement>
  readonly onMore: () => void
}

/** Below a list of which the server has another page. */
export function MoreButton({ list, onMore }: MoreButtonProps) {
  const { t } = useTranslation()
  useFocusBack(() => list.current, true)
  return (
    <button type="button" className="button wide" onClick={onMore}>
      {t("directory.more")}
    </button>
  )
}
