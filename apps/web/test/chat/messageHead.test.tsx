import type { ChannelMessage } from "@keymoot/core"
import { renderToStaticMarkup } from "react-dom/server"
import { beforeAll, expect, it } from "vitest"
import { MessageHead } from "../../src/chat/items/MessageHead.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

beforeAll(() => void startI18n(["en-GB"]))

/** The head of a message that Bob transferred. */
function headOf(name: string, self: boolean): string {
  const transferred = { by: { name: "Bob" }, authorKnown: false }
  const message = { from: { id: name, name, self }, transferred, sentAtMs: 0 } as unknown as ChannelMessage
  const session = { colours: store(new Map()), view: store({ members: [] }) } as unknown as Session
  return renderToStaticMarkup(
    <MessageHead message={message} session={session}>
      {null}
    </MessageHead>,
  )
}

it("names the member that a message of another author came from", () => {
  expect(headOf("Eve", false)).toContain("sent while you were away, via Bob")
  expect(headOf("Eve", false)).toContain("not confirmed")
})

it("does not say that own messages were sent while this person was away", () => {
  expect(headOf("Ada", true)).toContain("You</bdi>")
  expect(headOf("Ada", true)).not.toMatch(/while you were away|not confirmed/u)
})
