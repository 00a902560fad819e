import { Volume2 } from "lucide-react"
import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import type { SessionCall } from "../session/call.ts"
import { useStore } from "../store.ts"
import { openSound } from "./model/sound.ts"
import { TrackAudio } from "./TrackVideo.tsx"

const TONE_MS = 1500
const TONE_HZ = 440
/** Quiet, since somebody may wear headphones. */
const VOLUME = 0.2

/** Plays a tone on the chosen speaker. Nobody else hears it. */
export function SpeakerTest({ call }: { readonly call: SessionCall }) {
  const { t } = useTranslation()
  useStore(call.devices.changed)
  const [isPlaying, setPlaying] = useState(false)
  const [tone, setTone] = useState<MediaStreamTrack | null>(null)
  useEffect(() => {
    if (!isPlaying) return
    const context = openSound()
    if (!context) return setPlaying(false)
    const [source, volume] = [
      new OscillatorNode(context, { frequency: TONE_HZ }),
      new GainNode(context, { gain: VOLUME }),
    ]
    const sink = context.createMediaStreamDestination()
    source.connect(volume).connect(sink)
    source.start()
    setTone(sink.stream.getAudioTracks()[0] ?? null)
    const timer = setTimeout(() => setPlaying(false), TONE_MS)
    return () => {
      clearTimeout(timer)
      setTone(null)
      void context.close()
    }
  }, [isPlaying])
  return (
    <div className="call-speaker">
      <button type="button" className="button" onClick={() => setPlaying(true)}>
        <Volume2 aria-hidden /> {t("call.testSpeaker")}
      </button>
      <span className="hint" role="status">
        {isPlaying && t("call.toneIsPlaying")}
      </span>
      {tone && <TrackAudio track={tone} speaker={call.devices.chosen("speaker")} />}
    </div>
  )
}
