import type { Evidence, EvidencePerson } from "@keymoot/core/evidence"
import { BadgeCheck, Download } from "lucide-react"
import { useTranslation } from "react-i18next"
import { formatBytes } from "../files/formatBytes.ts"
import { save } from "../ui/save.ts"
import { EvidenceMessages, timeOf } from "./EvidenceMessages.tsx"
import { keyDigits } from "../ui/keyDigits.ts"

const UNPROVED = ["complete", "order", "delivery", "identity", "keys", "rest"] as const

/** An archive that is valid: what it proves, what its exporter states, and what is not proved. */
export function EvidenceView({ evidence }: { readonly evidence: Evidence }) {
  const { t, i18n } = useTranslation()
  const { conference, messages, documents, omitted, exporter, exportedAtMs } = evidence
  return (
    <>
      <p className="evidence-valid" role="status">
        <BadgeCheck aria-hidden /> {t("evidence.valid", { count: messages.length })}
      </p>
      <dl className="invitation-facts">
        <dt>{t("enter.about")}</dt>
        <dd>
          <bdi>{conference.title || conference.id}</bdi>
        </dd>
        <dt>{t("enter.whoMay")}</dt>
        <dd>{t(`evidence.admissions.${conference.admission}`)}</dd>
        <dt>{t("evidence.savedAt")}</dt>
        <dd>{timeOf(exportedAtMs, i18n.language)}</dd>
      </dl>
      <h2>{t("evidence.people")}</h2>
      <p className="hint">{t("evidence.peopleHint")}</p>
      <ul className="evidence-people">
        {[...peopleIn(evidence)].map(([fingerprint, { name, publicKey }]) => (
          <li key={fingerprint}>
            <strong>
              <bdi>{name}</bdi>
            </strong>
            {fingerprint === conference.creator.fingerprint && ` · ${t("evidence.creator")}`}
            {fingerprint === exporter.fingerprint && ` · ${t("evidence.exporter")}`}
            <code>{keyDigits(publicKey, true)}</code>
          </li>
        ))}
      </ul>
      <h2>{t("evidence.messages")}</h2>
      <p className="hint">{t("evidence.messagesHint")}</p>
      <EvidenceMessages messages={messages} />
      {omitted.map((what, index) => (
        <p key={index}>
          {what === "pictures" || what === "board"
            ? t(`evidence.omitted.${what}`)
            : t("evidence.omitted.other", { what })}
        </p>
      ))}
      {documents.length > 0 && (
        <>
          <h2>{t("evidence.documents")}</h2>
          <p className="hint">{t("evidence.documentsHint")}</p>
          <ul className="evidence-people">
            {documents.map(({ name, text, sha256 }, index) => (
              <li key={index}>
                <button
                  type="button"
                  className="button"
                  onClick={() => save(new Blob([text], { type: "text/plain;charset=utf-8" }), fileNameOf(name))}
                >
                  <Download aria-hidden />
                  <bdi>{fileNameOf(name)}</bdi> ({formatBytes(text.length, i18n.language)})
                </button>
                <code>{sha256.match(/.{1,4}/gu)?.join(" ")}</code>
              </li>
            ))}
          </ul>
        </>
      )}
      <h2>{t("evidence.unproved")}</h2>
      <ul>
        {UNPROVED.map((what) => (
          <li key={what}>{t(`evidence.unprovedList.${what}`)}</li>
        ))}
      </ul>
    </>
  )
}

/** A document's name comes from the file: nothing in it may name a program or hide an ending. */
function fileNameOf(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{N} _-]/gu, "_").slice(0, 60)
  return `${plain}.${name === "board" ? "excalidraw" : "txt"}`
}

/** Once for each certificate: the creator and the exporter, then the authors as they appear. */
function peopleIn({ conference, exporter, messages }: Evidence): Map<string, EvidencePerson> {
  const people = [conference.creator, exporter, ...messages.map(({ author }) => author)]
  return new Map(people.map((person) => [person.fingerprint, person]))
}
