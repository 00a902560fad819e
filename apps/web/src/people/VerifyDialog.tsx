import { KeymootError, type Member, type PairCode } from "@keymoot/core"
import { BadgeCheck } from "lucide-react"
import { Tabs } from "radix-ui"
import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { Modal } from "../ui/Modal.tsx"
import { QrCode } from "./QrCode.tsx"
import { Scanner } from "./Scanner.tsx"

const DIGIT_GROUPS_IN_LINE = 4

/** Compares codes with one person, and stores that they were equal. */
export default function VerifyDialog({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const id = useStore(session.verifying)
  const member = useStore(session.view).members.find((other) => other.id === id)
  return (
    <Modal
      title={member ? t("verify.title", { name: member.name }) : t("verify.goneTitle")}
      closeLabel={t("verify.close")}
      open={id !== null}
      onOpenChange={() => session.verifying.set(null)}
    >
      {member ? <Verification key={member.id} session={session} member={member} /> : <p>{t("verify.gone")}</p>}
    </Modal>
  )
}

function Verification({ session, member }: { readonly session: Session; readonly member: Member }) {
  const { t } = useTranslation()
  const [differs, setDiffers] = useState(false)
  const [failure, setFailure] = useState<"full" | "notStored" | null>(null)
  const code = usePairCode(session, member.id)
  const { name } = member

  function mark(verified: boolean): void {
    setDiffers(false)
    setFailure(null)
    const { handle } = session
    const marking = verified ? handle.verify(member.id) : handle.unverify(member.id)
    marking.catch((error: unknown) => setFailure(isFull(error) ? "full" : "notStored"))
  }

  return (
    <>
      <div role="status">
        {member.verified && (
          <p className="verified-note">
            <BadgeCheck aria-hidden /> {t("verify.done", { name })}
          </p>
        )}
        {failure !== null && <p className="field-error">{t(`verify.${failure}`)}</p>}
      </div>
      {member.changedKey && <p className="alarm-text">{t("alarm.changedKey", { name })}</p>}
      <p>{t("verify.how", { name })}</p>
      {code === null ? (
        <p className="working codes-coming">
          <span className="spinner" aria-hidden="true" />
          {t("verify.coming")}
        </p>
      ) : (
        <Codes session={session} member={member} code={code} onMatch={() => mark(true)} />
      )}
      {differs && (
        <div className="alarm-text" role="alert">
          {t("verify.differs", { name })}
        </div>
      )}
      {/* Keys, so that no other button takes the focus of a pressed one: a second press would take the answer back. */}
      <div className="actions">
        {member.verified ? (
          <button key="withdraw" type="button" className="button" onClick={() => mark(false)}>
            {t("verify.withdraw")}
          </button>
        ) : differs ? (
          <>
            <button key="stop" type="button" className="button primary" onClick={() => session.verifying.set(null)}>
              {t("verify.stop")}
            </button>
            <button key="again" type="button" className="button" onClick={() => setDiffers(false)}>
              {t("verify.again")}
            </button>
          </>
        ) : (
          <>
            <button
              key="same"
              type="button"
              className="button primary"
              disabled={code === null}
              onClick={() => mark(true)}
            >
              {t("verify.same")}
            </button>
            <button key="differ" type="button" className="button" onClick={() => setDiffers(true)}>
              {t("verify.notSame")}
            </button>
          </>
        )}
      </div>
    </>
  )
}

/** Whether this person has verified as many people as the device keeps. */
function isFull(error: unknown): boolean {
  return error instanceof KeymootError && error.code === "too-large"
}

type CodesProps = {
  readonly session: Session
  readonly member: Member
  readonly code: PairCode
  readonly onMatch: () => void
}

function Codes({ session, member, code, onMatch }: CodesProps) {
  const { t } = useTranslation()
  const groups = code.digits.split(" ")
  const lines = Array.from({ length: Math.ceil(groups.length / DIGIT_GROUPS_IN_LINE) }, (_, i) =>
    groups.slice(i * DIGIT_GROUPS_IN_LINE, (i + 1) * DIGIT_GROUPS_IN_LINE).join(" "),
  )
  return (
    <Tabs.Root defaultValue="digits">
      <Tabs.List className="tabs-list" aria-label={t("verify.forms")}>
        {(["digits", "words", "scan"] as const).map((form) => (
          <Tabs.Trigger key={form} value={form} className="tab">
            {t(`verify.form.${form}`)}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <Tabs.Content value="digits" tabIndex={-1}>
        <p className="code pair-digits" dir="ltr">
          {lines.map((line) => (
            <span key={line}>{line} </span>
          ))}
        </p>
      </Tabs.Content>
      <Tabs.Content value="words" tabIndex={-1}>
        <ol className="code pair-words" lang="en" dir="ltr">
          {code.words.map((word, place) => (
            // The same word may come twice.
            // oxlint-disable-next-line no-array-index-key
            <li key={place}>{word}</li>
          ))}
        </ol>
        <p className="hint">{t("verify.wordsHint")}</p>
      </Tabs.Content>
      <Tabs.Content value="scan" tabIndex={-1}>
        <Scanner session={session} member={member} onMatch={onMatch}>
          <QrCode text={code.scannable} label={t("verify.qr", { name: member.name })} />
          <p className="hint">{t("verify.qrHint", { name: member.name })}</p>
        </Scanner>
      </Tabs.Content>
    </Tabs.Root>
  )
}

function usePairCode(session: Session, id: Member["id"]): PairCode | null {
  const [code, setCode] = useState<PairCode | null>(null)
  useEffect(() => {
    let current = true
    session.handle.pairCode(id).then(
      (found) => current && setCode(found),
      () => undefined, // The conference is over, and so is this dialog.
    )
    return () => {
      current = false
    }
  }, [session, id])
  return code
}
