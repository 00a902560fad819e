import type { MediaParticipant } from "@keymoot/core"
import { AudioLines, Maximize2, MicOff, Minimize2, SignalMedium, TriangleAlert, Volume2 } from "lucide-react"
import { type ReactNode, useEffect, useRef } from "react"
import { useTranslation } from "react-i18next"
import { TrackVideo } from "./TrackVideo.tsx"
import { useFocusInCall } from "./useFocusInCall.ts"

export type TileProps = {
  readonly name: string
  readonly track: MediaStreamTrack | null
  readonly kind: "own" | "person" | "screen"
  readonly silent?: boolean
  /** The screen has sound. */
  readonly sounding?: boolean
  readonly speaking?: boolean
  readonly quality?: MediaParticipant["quality"]
  readonly note?: string | null
  readonly large?: boolean
  /** Makes it large, or small again. */
  readonly onResize?: () => void
  /** Called when the tile is scrolled out of the list or back. */
  readonly onVisible?: (visible: boolean) => void
  readonly children?: ReactNode
}

/** A person or a screen: a figure with its name and one video. */
export function Tile(props: TileProps) {
  const { name, track, kind, silent = false, sounding = false, speaking = false } = props
  const { quality = "good", note = null, large = false, onResize, onVisible } = props
  const { t } = useTranslation()
  return (
    <figure
      ref={useOnScreen(onVisible)}
      className="tile"
      aria-label={name}
      data-kind={kind}
      data-speaking={speaking}
      data-large={large}
    >
      {track === null && (
        <span className="tile-letter" aria-hidden>
          {initialsOf(name)}
        </span>
      )}
      <TrackVideo track={track} label={name} mirrored={kind === "own"} />
      {onResize && <ResizeButton name={name} large={large} onResize={onResize} />}
      <figcaption className="tile-name">
        {silent && <MicOff role="img" aria-label={t("call.microphoneOff")} />}
        {sounding && <Volume2 role="img" aria-label={t("call.screenSound")} />}
        {speaking && <AudioLines role="img" aria-label={t("call.speaking")} />}
        {quality === "poor" && <TriangleAlert role="img" aria-label={t("call.quality.poor")} />}
        {quality === "fair" && <SignalMedium role="img" aria-label={t("call.quality.fair")} />}
        <span dir="auto">{name}</span>
      </figcaption>
      {note !== null && <p className="tile-note">{note}</p>}
      {props.children}
    </figure>
  )
}

function ResizeButton({ name, large, onResize }: Required<Pick<TileProps, "name" | "large" | "onResize">>) {
  const { t } = useTranslation()
  // The tile moves to the stage or back, and takes the button with it. It may also have gone for good.
  useFocusInCall(true, `.tile[aria-label=${JSON.stringify(name)}] .tile-resize`)
  return (
    <button
      type="button"
      className="tile-resize"
      aria-label={t(large ? "call.shrink" : "call.enlarge", { name })}
      onClick={onResize}
    >
      {large ? <Minimize2 aria-hidden /> : <Maximize2 aria-hidden />}
    </button>
  )
}

function useOnScreen(onVisible: ((visible: boolean) => void) | undefined) {
  const figure = useRef<HTMLElement>(null)
  const latest = useRef(onVisible)
  latest.current = onVisible
  const watched = onVisible !== undefined
  useEffect(() => {
    if (!watched) return
    const observer = new IntersectionObserver((entries) =>
      // Several records of one tile can come at once; the last one counts.
      latest.current?.(entries.at(-1)?.isIntersecting ?? true),
    )
    observer.observe(figure.current!)
    return () => {
      observer.disconnect()
      latest.current?.(true)
    }
  }, [watched])
  return figure
}

/** First letters of the first and the last word. */
function initialsOf(name: string): string {
  const words = name
    .replace(/ \([^)]*\)$/u, "")
    .split(/\s+/u)
    .filter(Boolean)
  const ends = words.length > 1 ? [words[0]!, words.at(-1)!] : words
  return ends.map((word) => [...word][0]?.toUpperCase() ?? "").join("")
}
