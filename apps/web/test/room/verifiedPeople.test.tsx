// @vitest-environment jsdom
import type { Member } from "@keymoot/core"
import { Popover } from "radix-ui"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it } from "vitest"
import { startI18n } from "../../src/i18n/index.ts"
import { VerifiedPeople } from "../../src/security/VerifiedPeople.tsx"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const root = createRoot(document.body.appendChild(document.createElement("div")))
afterEach(() => act(() => root.render(null)))

const person = (name: string, verified = false, more: Partial<Member> = {}): Member => {
  const about = { id: name, name, publicKey: name, role: "editor", self: name === "Ada", verified, changedKey: false }
  return { ...about, ...more } as unknown as Member
}

function show(...members: readonly Member[]): Session {
  const session = {
    handle: { self: person("Ada") },
    view: store({ members }),
    verifying: store<Member["id"] | null>(null),
    colours: store(new Map()),
  } as unknown as Session
  act(() =>
    root.render(
      <Popover.Root open>
        <VerifiedPeople session={session} />
      </Popover.Root>,
    ),
  )
  return session
}

it("counts the verified people, and offers to verify each of the others", () => {
  const session = show(person("Ada"), person("Bob", true), person("Eve"))
  expect(document.body.textContent).toContain("You have verified 1 of 2.")
  const buttons = [...document.querySelectorAll("button")]
  expect(buttons.map((button) => button.getAttribute("aria-label"))).toEqual(["Verify Eve"])
  act(() => buttons[0]!.click())
  expect(session.verifying.get()).toBe("Eve")
})

it("labels the own other device, and does not offer to verify it", () => {
  show(person("Ada"), person("Ada’s phone", false, { publicKey: "Ada" }), person("Bob", true))
  expect(document.body.textContent).toContain("Ada’s phone(your other device)")
  expect(document.querySelectorAll("button")).toHaveLength(0)
  expect(document.body.textContent).toContain("nobody is in between")
})

it("says that nobody is in between only when everybody is verified", () => {
  show(person("Ada"), person("Bob", true))
  expect(document.body.textContent).toContain("nobody is in between")
  show(person("Ada"))
  expect(document.body.textContent).not.toContain("nobody is in between")
})
