import type { Authenticity, Cipher, KeyAgreementName, PostQuantum } from "@keymoot/core"
import { useTranslation } from "react-i18next"
import { CIPHER_NAMES } from "../security/cipher-names.ts"
import { Choice } from "../ui/Choice.tsx"
import type { ConferenceOptions, OnOptions } from "./StartOptionsFields.tsx"

const KEY_AGREEMENTS: readonly KeyAgreementName[] = ["tgdh", "str", "bd", "gdh", "ckd", "majority"]
const AUTHENTICITIES: readonly Authenticity[] = ["signature", "group"]
const CIPHERS: readonly Cipher[] = ["aes-256-gcm", "chacha20-poly1305", "aes-256-gcm-siv"]
const POST_QUANTUM_MODES: readonly PostQuantum[] = ["hybrid", "off"]

type CryptographyFieldsProps = {
  readonly options: ConferenceOptions
  readonly onOptions: OnOptions
}

/** Majority requires a roster and signatures, so one choice may change another. */
function withKeyAgreement(options: ConferenceOptions, keyAgreement: KeyAgreementName): ConferenceOptions {
  if (keyAgreement !== "majority") return { ...options, keyAgreement }
  return { ...options, keyAgreement, admission: "roster", authenticity: "signature" }
}

/** Choices for people who know why; the first of each is right for everybody else. */
export function CryptographyFields({ options, onOptions }: CryptographyFieldsProps) {
  const { t } = useTranslation()
  return (
    <div className="options">
      <p className="hint">{t("start.cryptographyHint")}</p>
      <Choice
        label={t("start.keyAgreement")}
        choices={KEY_AGREEMENTS}
        chosen={options.keyAgreement}
        onChoose={(keyAgreement) => onOptions((before) => withKeyAgreement(before, keyAgreement))}
        describe={(name) => t(`security.modules.${name}`)}
        hint={t(`start.keyAgreementHints.${options.keyAgreement}`)}
      />
      {options.keyAgreement !== "majority" && (
        <Choice
          label={t("start.authenticity")}
          choices={AUTHENTICITIES}
          chosen={options.authenticity}
          onChoose={(authenticity) => onOptions((before) => ({ ...before, authenticity }))}
          describe={(authenticity) => t(`security.authenticities.${authenticity}`)}
          hint={t(`start.authenticityHints.${options.authenticity}`)}
        />
      )}
      <Choice
        label={t("start.cipher")}
        choices={CIPHERS}
        chosen={options.cipher}
        onChoose={(cipher) => onOptions((before) => ({ ...before, cipher }))}
        describe={(cipher) => CIPHER_NAMES[cipher]}
        hint={t(`start.cipherHints.${options.cipher}`)}
      />
      <Choice
        label={t("start.postQuantum")}
        choices={POST_QUANTUM_MODES}
        chosen={options.postQuantum}
        onChoose={(postQuantum) => onOptions((before) => ({ ...before, postQuantum }))}
        describe={(mode) => t(`start.postQuantumModes.${mode}`)}
        hint={t(`start.postQuantumHints.${options.postQuantum}`)}
      />
      {options.keyAgreement === "majority" && <p className="hint">{t("start.majorityNames")}</p>}
    </div>
  )
}
