import { KeymootError, type LobbyMessage } from "@keymoot/core"
import { type FormEvent, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import { TextField } from "../ui/TextField.tsx"

/** Below the bytes of a message, in any script. */
const CHARACTERS_MAX = 250

type LobbyChatProps = {
  readonly messages: readonly LobbyMessage[]
  readonly label: string
  /** Name of the waiting person, with a colon, at a host; null for the waiting person. */
  readonly guest: string | null
  /** Text in the field. The owner keeps it while the field is not shown. */
  readonly draft: string
  readonly onDraft: (change: (before: string) => string) => void
  readonly onWrite: (text: string) => Promise<void>
}

/** Lines between a waiting person and a host, and a field for one more. */
export function LobbyChat({ messages, label, guest, draft, onDraft, onWrite }: LobbyChatProps) {
  const { t } = useTranslation()
  const [error, setError] = useState<string | null>(null)
  const isSending = useRef(false)

  async function write(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (draft.trim() === "" || isSending.current) return
    isSending.current = true
    setError(null)
    onDraft(() => "")
    try {
      await onWrite(draft.trim())
    } catch (failure) {
      onDraft((typed) => (typed === "" ? draft : `${draft} ${typed}`.slice(0, CHARACTERS_MAX)))
      const code = failure instanceof KeymootError ? failure.code : "internal"
      setError(code === "queue-full" ? t("hosts.waitForAnswer") : t("hosts.notSent"))
    } finally {
      isSending.current = false
    }
  }

  const nameOf = (byHost: boolean): string => {
    if (guest === null) return t(byHost ? "hosts.aHost" : "hosts.you")
    return byHost ? t("hosts.you") : guest
  }
  return (
    <form className="lobby-chat" onSubmit={(event) => void write(event)}>
      <div role="log" aria-label={t("hosts.talk")}>
        <ul className="plain-list">
          {messages.map(({ text: said, byHost }, index) => (
            <li key={index}>
              <strong>
                <bdi>{nameOf(byHost)}</bdi>
              </strong>{" "}
              <bdi>{said}</bdi>
            </li>
          ))}
        </ul>
      </div>
      <div className="link-form">
        <TextField
          label={label}
          error={error}
          value={draft}
          onValue={(text) => onDraft(() => text)}
          maxLength={CHARACTERS_MAX}
          autoComplete="off"
        />
        <button type="submit" className="button">
          {t("hosts.write")}
        </button>
      </div>
    </form>
  )
}
