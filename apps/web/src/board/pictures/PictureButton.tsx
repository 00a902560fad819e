import { ImagePlus } from "lucide-react"
import { useTranslation } from "react-i18next"

/** Beside the tools, which lack such a button here. */
export function PictureButton({ onPress }: { readonly onPress: () => void }) {
  const { t } = useTranslation()
  return (
    <button
      type="button"
      className="icon-button board-button"
      aria-label={t("board.pictures")}
      title={t("board.pictures")}
      onClick={onPress}
    >
      <ImagePlus aria-hidden />
    </button>
  )
}
