import { Image, ImageOff } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { Session } from "../../session/session.ts"
import { useStore } from "../../store.ts"
import { DismissButton } from "../../ui/feedback/DismissButton.tsx"

/** The progress and the failures of the board's pictures. */
export function PictureNews({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const { adding, coming, percent, missing, beyond, refused } = useStore(session.pictures)
  return (
    <>
      {adding > 0 && (
        <p className="banner plain">
          <Image aria-hidden /> {t("pictures.adding", { count: adding })}
        </p>
      )}
      {coming > 0 && (
        <p className="banner plain">
          <Image aria-hidden /> {t("pictures.coming", { count: coming })}{" "}
          <progress max={100} value={percent} aria-label={t("banner.receivingProgress")} />
        </p>
      )}
      {missing > 0 && (
        <p className="banner plain">
          <ImageOff aria-hidden /> {t("pictures.missing", { count: missing })}
        </p>
      )}
      {beyond > 0 && (
        <p className="banner plain">
          <ImageOff aria-hidden /> {t("pictures.beyond", { count: beyond })}
        </p>
      )}
      {refused !== null && (
        <p className="banner">
          <ImageOff aria-hidden />
          <span>{t(`pictures.refused.${refused}`)}</span>
          <DismissButton
            label={t("banner.hide")}
            onClick={() => session.pictures.set({ ...session.pictures.get(), refused: null })}
          />
        </p>
      )}
    </>
  )
}
