import { renderToStaticMarkup } from "react-dom/server"
import { beforeAll, expect, it } from "vitest"
import { PeoplePanel } from "../../src/conference/members/PeoplePanel.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import type { Session } from "../../src/session/session.ts"

beforeAll(() => void startI18n(["en-GB"]))

it("speaks of nobody who is here and invites nobody when it is the panel of a copy", () => {
  const session = { handle: { copyOnly: true } } as Session
  const markup = renderToStaticMarkup(<PeoplePanel session={session} />)
  expect(markup).toContain("This is a copy on this device. Nobody is connected to it.")
  for (const text of ["in the conference", "Send somebody the link", "QR code"]) expect(markup).not.toContain(text)
})
