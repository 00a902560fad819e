import "../styles/evidence.css"
import { EVIDENCE_BYTES_MAX, type Evidence, type EvidenceFault, verifyEvidence } from "@keymoot/core/evidence"
import { TriangleAlert } from "lucide-react"
import { type DragEvent, useId, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import { Brand } from "../ui/Brand.tsx"
import { ScreenTitle } from "../ui/ScreenTitle.tsx"
import { EvidenceView } from "./EvidenceView.tsx"

type State =
  | { readonly kind: "none" }
  | { readonly kind: "checking" }
  | { readonly kind: "unreadable" }
  | { readonly kind: "valid"; readonly evidence: Evidence }
  | { readonly kind: "invalid"; readonly fault: EvidenceFault }

/** From here on, this document can't request anything: what is in a file stays on this device. */
export function forbidRequests(): void {
  const policy = document.createElement("meta")
  policy.httpEquiv = "Content-Security-Policy"
  policy.content = "connect-src 'none'; form-action 'none'"
  document.head.append(policy)
}

/** The page `/verify`: checks an evidence archive on this device. */
export function VerifyPage() {
  const { t } = useTranslation()
  const id = useId()
  const [state, setState] = useState<State>({ kind: "none" })
  const [over, setOver] = useState(false)
  /** The file chosen last: the verdict on an earlier one comes too late. */
  const chosen = useRef<File | null>(null)

  async function check(file: File): Promise<void> {
    chosen.current = file
    setState({ kind: "checking" })
    const next = await verdictOn(file)
    if (chosen.current === file) setState(next)
  }

  function onDrag(event: DragEvent): void {
    if (!event.dataTransfer.types.includes("Files")) return
    event.preventDefault()
    setOver(true)
  }

  function onDrop(event: DragEvent): void {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) void check(file)
  }

  return (
    <main className="page" onDragOver={onDrag} onDragLeave={() => setOver(false)} onDrop={onDrop}>
      <div className="card evidence" data-over={over}>
        <Brand />
        <ScreenTitle>{t("evidence.title")}</ScreenTitle>
        <p className="lead">{t("evidence.lead")}</p>
        <div className="field">
          <label htmlFor={id}>{t("evidence.file")}</label>
          <input
            id={id}
            type="file"
            aria-describedby={`${id}-drop`}
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? []
              if (file) void check(file)
              // Otherwise the same file, changed meanwhile, could not be chosen again.
              currentTarget.value = ""
            }}
          />
          <p id={`${id}-drop`} className="hint">
            {t("evidence.drop")}
          </p>
        </div>
        <Result state={state} />
        <p className="hint">
          <a href="/">{t("problem.toStart")}</a>
        </p>
      </div>
    </main>
  )
}

/** A larger file is no archive, and is not read. */
async function verdictOn(file: File): Promise<State> {
  if (file.size > EVIDENCE_BYTES_MAX) return { kind: "invalid", fault: { part: "size", number: null } }
  try {
    const verdict = await verifyEvidence(new Uint8Array(await file.arrayBuffer()))
    return verdict.valid ? { kind: "valid", ...verdict } : { kind: "invalid", ...verdict }
  } catch {
    return { kind: "unreadable" }
  }
}

function Result({ state }: { readonly state: State }) {
  const { t } = useTranslation()
  if (state.kind === "valid") return <EvidenceView key={state.evidence.exportedAtMs} evidence={state.evidence} />
  if (state.kind === "none" || state.kind === "checking")
    return <p role="status">{state.kind === "checking" && t("evidence.checking")}</p>
  return (
    <div className="problem" role="alert">
      <TriangleAlert aria-hidden />
      {state.kind === "unreadable" ? (
        <span>{t("evidence.unreadable")}</span>
      ) : (
        <span>
          <strong>{t("evidence.invalid")}</strong>{" "}
          {t(`evidence.faults.${state.fault.part}`, { number: state.fault.number })}
        </span>
      )}
    </div>
  )
}
