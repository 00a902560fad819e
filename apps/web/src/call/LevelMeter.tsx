import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import { openSound } from "./model/sound.ts"

const LOOK_EVERY_MS = 100

/** Shows that the own microphone hears something. Nothing of it is sent. */
export function LevelMeter({ track }: { readonly track: MediaStreamTrack | null }) {
  const { t } = useTranslation()
  const [level, setLevel] = useState(0)
  useEffect(() => {
    const context = track && openSound()
    if (!context) return
    const analyser = context.createAnalyser()
    context.createMediaStreamSource(new MediaStream([track])).connect(analyser)
    const samples = new Float32Array(analyser.fftSize)
    const timer = setInterval(() => {
      analyser.getFloatTimeDomainData(samples)
      setLevel(Math.min(1, 4 * Math.max(...samples.map(Math.abs))))
    }, LOOK_EVERY_MS)
    return () => {
      clearInterval(timer)
      setLevel(0)
      void context.close()
    }
  }, [track])
  return <meter className="call-meter" aria-label={t("call.level")} min={0} max={1} value={level} />
}
