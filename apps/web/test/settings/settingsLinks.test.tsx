// @vitest-environment jsdom
import { act } from "react"
import { createRoot } from "react-dom/client"
import { beforeAll, expect, it, vi } from "vitest"
import { startI18n } from "../../src/i18n/index.ts"
import SettingsDialog from "../../src/settings/SettingsDialog.tsx"

vi.mock("../../src/settings/IdentitySettings.tsx", () => ({ IdentitySettings: () => null }))
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const root = createRoot(document.body.appendChild(document.createElement("div")))

it("leaves an invitation open when an invited person follows a link in the settings", async () => {
  const nothing = () => undefined
  await act(async () => root.render(<SettingsDialog onClose={nothing} onIdentity={nothing} onDiagnostics={null} />))
  const links = [...document.querySelectorAll<HTMLAnchorElement>(".notices a")]
  expect(links.map(({ pathname }) => pathname)).toEqual(["/third-party-notices.txt", "/verify", "/bench"])
  for (const { target, rel } of links) expect([target, rel]).toEqual(["_blank", "noreferrer"])
})
