import type { Member, ScanResult } from "@keymoot/core"
import { Camera, QrCode as QrCodeIcon } from "lucide-react"
import { type ReactNode, useEffect, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { type CameraProblem, scanCodes } from "./camera.ts"

type ScannerProps = {
  readonly session: Session
  readonly member: Member
  readonly onMatch: () => void
  /** The content while the camera is off. */
  readonly children: ReactNode
}

/** Reads the other person's code by the camera, on request. The camera's picture replaces this person's own code. */
export function Scanner({ session, member, onMatch, children }: ScannerProps) {
  const { t } = useTranslation()
  const [scanning, setScanning] = useState(false)
  const [problem, setProblem] = useState<CameraProblem | null>(null)
  const [result, setResult] = useState<ScanResult | null>(null)
  const name = member.name

  function begin(): void {
    setProblem(null)
    setResult(null)
    setScanning(true)
  }

  return (
    <>
      {scanning ? (
        <>
          <CameraView
            onText={(text) =>
              void session.handle.checkScan(member.id, text).then((answer) => {
                setResult(answer)
                if (answer === "not-a-code") return
                setScanning(false)
                if (answer === "match") onMatch()
              })
            }
            onProblem={(next) => {
              setScanning(false)
              setProblem(next)
            }}
          />
          <button type="button" className="button wide" onClick={() => setScanning(false)}>
            <QrCodeIcon aria-hidden /> {t("verify.showMine")}
          </button>
        </>
      ) : (
        <>
          {children}
          <button type="button" className="button wide" onClick={begin}>
            <Camera aria-hidden /> {t("verify.scan", { name })}
          </button>
        </>
      )}
      <div role="status">
        {problem !== null && <p className="field-error">{t(`verify.camera.${problem}`)}</p>}
        {result === "not-a-code" && <p className="hint">{t("verify.scanned.notACode")}</p>}
        {result === "other-person" && <p className="alarm-text">{t("verify.scanned.otherPerson", { name })}</p>}
      </div>
    </>
  )
}

type CameraViewProps = {
  readonly onText: (text: string) => void
  readonly onProblem: (problem: CameraProblem) => void
}

function CameraView({ onText, onProblem }: CameraViewProps) {
  const { t } = useTranslation()
  const video = useRef<HTMLVideoElement>(null)
  const handlers = useRef({ onText, onProblem })
  handlers.current = { onText, onProblem }
  useEffect(() => {
    const scan = scanCodes(
      video.current!,
      (text) => handlers.current.onText(text),
      (problem) => handlers.current.onProblem(problem),
    )
    return () => scan.stop()
  }, [])
  return <video ref={video} className="camera" aria-label={t("verify.cameraPicture")} muted playsInline />
}
