import { renderToStaticMarkup } from "react-dom/server"
import { beforeAll, expect, it } from "vitest"
import { EvidenceView } from "../../src/evidence/EvidenceView.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import { evidence, FILE_TICKET, written } from "../../stories/evidence.ts"

beforeAll(() => void startI18n(["en-GB"]))

const [author] = evidence.messages.map((message) => message.author)
const shown = (text: string): string => {
  const messages = [written(author!, text, { channel: "files" })]
  return renderToStaticMarkup(<EvidenceView evidence={{ ...evidence, messages }} />)
}

it("names a shared file as the saved chat does", () => {
  expect(shown(FILE_TICKET)).toContain("<em>[File: plan of the roof.pdf]</em>")
  expect(shown(FILE_TICKET)).not.toContain("keymoot-file:")
})

it("shows a text that offers no file as it was signed", () => {
  expect(shown("keymoot-file:forged")).toContain("<code>keymoot-file:forged</code>")
})

it("says who could join from no person's own view", () => {
  expect(shown(FILE_TICKET)).toContain("<dd>people whom a host let in, one by one</dd>")
})
