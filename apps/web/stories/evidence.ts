import type { Evidence, EvidenceMessage, EvidencePerson } from "@keymoot/core/evidence"
import { AT_MS } from "./diagnostics.ts"
import { LONG, RTL } from "./people.ts"

const [ada, bob, long] = ["Ada", "Bob", LONG].map((name, index): EvidencePerson => {
  return { name, fingerprint: `${index + 1}0a7`.repeat(16), publicKey: `${index + 1}0b8`.repeat(16) }
}) as [EvidencePerson, EvidencePerson, EvidencePerson]

/** Offers the file "plan of the roof.pdf". */
export const FILE_TICKET =
  "keymoot-file:AgcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkAAAAAAAAwORRwbGFuIG9mIHRoZSByb29mLnBkZg9hcHBsaWNhdGlvbi9wZGY"

/** A valid archive, as the verification returns it. */
export const evidence: Evidence = {
  conference: {
    id: "5".repeat(32),
    title: `The roof: ${RTL}`,
    creator: ada,
    admission: "approval",
    startsAtMs: AT_MS,
    endsAtMs: AT_MS + 3_600_000,
  },
  messages: [
    written(ada, "Shall we begin with the roof?", { after: null }),
    written(bob, "Yes.", { after: 0 }),
    written(long, "Donaudampfschifffahrtsgesellschaft".repeat(4), { after: 1, passedOn: true, certified: false }),
    written(bob, JSON.stringify({ type: "reaction", of: "m", emoji: "👍", on: true }), { channel: "chat-marks" }),
    written(bob, FILE_TICKET, { channel: "files" }),
    written(ada, JSON.stringify({ option: 1 }), { channel: "polls" }),
  ],
  documents: [{ name: "board", text: "{}", sha256: "ab12".repeat(16) }],
  omitted: ["pictures"],
  exporter: bob,
  exportedAtMs: AT_MS + 3_000_000,
}

export function written(author: EvidencePerson, text: string, rest: Partial<EvidenceMessage>): EvidenceMessage {
  const position = { epoch: 3, view: "ab".repeat(32), sequence: 7 }
  const usual = { position, channel: "chat", sentAtMs: AT_MS, after: 1, passedOn: false, certified: true }
  return { author, text, ...usual, ...rest } as EvidenceMessage
}
