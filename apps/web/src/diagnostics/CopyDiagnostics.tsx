import { formatDiagnostics, type Diagnostics } from "@keymoot/core"
import { Check, Copy } from "lucide-react"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import { useCopy } from "../ui/feedback/useCopy.ts"

/** Copies the diagnostics as text. If the browser does not allow that, shows the text for copying by hand. */
export function CopyDiagnostics({ diagnostics }: { readonly diagnostics: Diagnostics }) {
  const { t } = useTranslation()
  const { state, copy } = useCopy()
  const [text, setText] = useState("")
  const { entries } = diagnostics.trace

  function copyText(): void {
    const formatted = formatDiagnostics(diagnostics)
    setText(formatted)
    void copy(formatted)
  }

  return (
    <section>
      <button type="button" className="button primary" onClick={copyText}>
        {state === "copied" ? <Check aria-hidden /> : <Copy aria-hidden />}
        {t("diagnostics.copy")}
      </button>
      <p className="hint" role="status">
        {t(
          state === "copied"
            ? "diagnostics.copied"
            : state === "by-hand"
              ? "diagnostics.copyFailed"
              : "diagnostics.copyHint",
        )}
      </p>
      {state === "by-hand" && (
        <textarea
          readOnly
          rows={6}
          aria-label={t("diagnostics.copyText")}
          value={text}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
      {entries.length > 0 && <p className="hint">{t("diagnostics.trace", { count: entries.length })}</p>}
    </section>
  )
}
