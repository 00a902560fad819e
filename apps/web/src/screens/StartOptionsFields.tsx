import type { Authenticity, Cipher, HistoryPolicy, KeyAgreementName, PostQuantum } from "@keymoot/core"
import { useTranslation } from "react-i18next"
import { AuthorityField, type ChosenAuthority } from "../certificates/AuthorityField.tsx"
import { RosterField } from "../roster/RosterField.tsx"
import type { NamedPerson } from "../roster/named-person.ts"
import { OpensField } from "../schedule/OpensField.tsx"
import { Check } from "../ui/Check.tsx"
import { Choice } from "../ui/Choice.tsx"
import { TextField } from "../ui/TextField.tsx"

const HOUR_MS = 3_600_000
const DURATION_HOURS = [1, 8, 24, 7 * 24, 30 * 24] as const
const ADMISSIONS = ["link", "approval", "roster", "ca"] as const
/** Characters; longer titles cannot be typed. */
const TITLE_LENGTH_MAX = 80
const HISTORIES: readonly HistoryPolicy[] = ["everything", "from-join"]

/** The settings of a new conference; they cannot be changed later. */
export type ConferenceOptions = {
  /** Only members see it; may be empty. */
  readonly title: string
  readonly history: HistoryPolicy
  readonly keyAgreement: KeyAgreementName
  readonly authenticity: Authenticity
  readonly cipher: Cipher
  readonly postQuantum: PostQuantum
  readonly admission: (typeof ADMISSIONS)[number]
  /** The other members of the roster, if `admission` is `roster`. */
  readonly people: readonly NamedPerson[]
  /** Whether they find the conference in the server's directory. */
  readonly listed: boolean
  /** The authority, if `admission` is `ca`. */
  readonly authority: ChosenAuthority | null
  /** As typed: local time, or empty for now. */
  readonly opensAt: string
  readonly durationMs: number
}

export const DEFAULT_OPTIONS: ConferenceOptions = {
  title: "",
  history: "everything",
  keyAgreement: "tgdh",
  authenticity: "signature",
  cipher: "aes-256-gcm",
  postQuantum: "hybrid",
  admission: "link",
  people: [],
  listed: false,
  authority: null,
  opensAt: "",
  durationMs: 24 * HOUR_MS,
}

/** A change of the options as they are then: a file or a card is read while the person goes on choosing. */
export type OnOptions = (change: (before: ConferenceOptions) => ConferenceOptions) => void

type StartOptionsFieldsProps = {
  readonly options: ConferenceOptions
  readonly onOptions: OnOptions
  /** The form was submitted with an empty roster. */
  readonly peopleMissing: boolean
  /** Or without the required authority. */
  readonly authorityMissing: boolean
  readonly openingWrong: boolean
}

/** Majority requires a roster. */
function withAdmission(options: ConferenceOptions, admission: ConferenceOptions["admission"]): ConferenceOptions {
  const keyAgreement = admission !== "roster" && options.keyAgreement === "majority" ? "tgdh" : options.keyAgreement
  return { ...options, admission, keyAgreement }
}

export function StartOptionsFields({
  options,
  onOptions,
  peopleMissing,
  authorityMissing,
  openingWrong,
}: StartOptionsFieldsProps) {
  const { t } = useTranslation()
  const set = (chosen: Partial<ConferenceOptions>) => onOptions((before) => ({ ...before, ...chosen }))
  return (
    <div className="options">
      <TextField
        label={t("start.title")}
        error={null}
        value={options.title}
        onValue={(title) => set({ title })}
        maxLength={TITLE_LENGTH_MAX}
        autoComplete="off"
      />
      <Choice
        label={t("start.admission")}
        choices={ADMISSIONS}
        chosen={options.admission}
        onChoose={(admission) => onOptions((before) => withAdmission(before, admission))}
        describe={(admission) => t(`start.admissions.${admission}`)}
      />
      {options.admission === "roster" && (
        <>
          <RosterField
            people={options.people}
            onPeople={(change) => onOptions((before) => ({ ...before, people: change(before.people) }))}
            missing={peopleMissing}
          />
          <Check
            label={t("directory.show")}
            hint={t("directory.showHint")}
            checked={options.listed}
            onChecked={(listed) => set({ listed })}
          />
        </>
      )}
      {options.admission === "ca" && (
        <AuthorityField
          authority={options.authority}
          onAuthority={(change) => onOptions((before) => ({ ...before, authority: change(before.authority) }))}
          missing={authorityMissing}
        />
      )}
      <Choice
        label={t("start.history")}
        choices={HISTORIES}
        chosen={options.history}
        onChoose={(history) => set({ history })}
        describe={(history) => t(history === "everything" ? "start.historyEverything" : "start.historyFromJoin")}
        hint={t(`start.historyHints.${options.history}`)}
      />
      <OpensField opensAt={options.opensAt} onOpensAt={(opensAt) => set({ opensAt })} wrong={openingWrong} />
      <Choice
        label={t("start.duration")}
        choices={DURATION_HOURS}
        chosen={options.durationMs / HOUR_MS}
        onChoose={(hours) => set({ durationMs: hours * HOUR_MS })}
        describe={(hours) => (hours > 24 ? t("start.days", { count: hours / 24 }) : t("start.hours", { count: hours }))}
      />
    </div>
  )
}
