import type { ExcalidrawImperativeAPI } from "@excalidraw/excalidraw/types"
import { ChevronLeft, ChevronRight, Presentation, Users } from "lucide-react"
import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../../session/session.ts"
import { useStore } from "../../store.ts"
import { slideFrom, slidesOf } from "./slides.ts"
import { DismissButton } from "../../ui/feedback/DismissButton.tsx"

type SlideBarProps = { readonly session: Session; readonly api: ExcalidrawImperativeAPI }

/** Shows the frames of the board one after the other. People who follow me see them, too. */
export function SlideBar({ session, api }: SlideBarProps) {
  const { t } = useTranslation()
  const open = useStore(session.slidesOpen)
  const isHost = useStore(session.view).members.some(({ self, role }) => self && role === "host")
  const [shown, setShown] = useState<string | null>(null)
  const slides = useSlides(api, open)
  if (!open) return null
  const at = slides.findIndex(({ id }) => id === shown)

  function go(step: 1 | -1): void {
    const slide = slideFrom(slides, shown, step)
    if (slide === null) return
    // Following somebody else would turn the board away again.
    session.following.set(null)
    setShown(slide.id)
    api.scrollToContent(slide, { fitToViewport: true, viewportZoomFactor: 0.9 })
  }

  return (
    <div className="slide-bar" role="group" aria-label={t("showing.slides")}>
      {slides.length === 0 ? (
        <span role="status">{t("showing.noSlides")}</span>
      ) : (
        <>
          <button type="button" className="icon-button" aria-label={t("showing.previous")} onClick={() => go(-1)}>
            <ChevronLeft aria-hidden />
          </button>
          <span role="status">
            {at < 0
              ? t("showing.count", { count: slides.length })
              : t("showing.slide", { at: at + 1, all: slides.length })}
          </span>
          <button type="button" className="icon-button" aria-label={t("showing.next")} onClick={() => go(1)}>
            <ChevronRight aria-hidden />
          </button>
        </>
      )}
      {isHost && (
        <button type="button" className="button" onClick={session.bringEverybody}>
          <Users aria-hidden /> {t("showing.bring")}
        </button>
      )}
      <DismissButton label={t("showing.close")} onClick={() => session.slidesOpen.set(false)} />
    </div>
  )
}

/** Opens the bar; beside the board's other buttons. */
export function SlidesButton({ session }: Pick<SlideBarProps, "session">) {
  const { t } = useTranslation()
  const open = useStore(session.slidesOpen)
  return (
    <button
      type="button"
      className="icon-button board-button"
      aria-label={t("showing.slides")}
      title={t("showing.slides")}
      aria-pressed={open}
      onClick={() => session.slidesOpen.set(!open)}
    >
      <Presentation aria-hidden />
    </button>
  )
}

/** Read only while the bar is open: the board changes with every stroke. */
function useSlides(api: ExcalidrawImperativeAPI, open: boolean) {
  const [slides, setSlides] = useState(() => slidesOf(api.getSceneElements()))
  useEffect(() => {
    if (!open) return undefined
    const look = (): void =>
      setSlides((before) => {
        const next = slidesOf(api.getSceneElements())
        return next.length === before.length && next.every((slide, index) => slide === before[index]) ? before : next
      })
    look()
    return api.onChange(look)
  }, [api, open])
  return slides
}
