/** Options of a new conference, as the form of the start screen has them. */
import type { AdmissionOptions } from "@keymoot/core"
import type { ConferenceOptions } from "../screens/StartOptionsFields.tsx"

export function wantedOf(options: ConferenceOptions) {
  const { title, history, keyAgreement, authenticity, cipher, postQuantum, durationMs } = options
  return {
    title,
    history,
    keyAgreement,
    authenticity,
    cipher,
    postQuantum,
    durationMs,
    admission: admissionOf(options),
  }
}

function admissionOf({
  admission: policy,
  people,
  authority,
}: Pick<ConferenceOptions, "admission" | "people" | "authority">): AdmissionOptions {
  if (policy === "roster") return { policy, members: people.map(({ card }) => card) }
  // A form without it is not submitted.
  return policy === "ca" ? { policy, authority: authority!.certificate } : { policy }
}
