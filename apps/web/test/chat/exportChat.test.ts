import type { ChannelMessage, Member } from "@keymoot/core"
import i18next, { t } from "i18next"
import { expect, it } from "vitest"
import { chatAsText } from "../../src/chat/exportChat.ts"
import { startI18n } from "../../src/i18n/index.ts"
import { addMark } from "../../src/session/marks.ts"
import type { Entry } from "../../src/session/order.ts"

const ada = { id: "ada", name: "Ada", self: true } as unknown as Member
const position = (sequence: number) => ({ epoch: 1, view: "v", sequence })
const message = (sequence: number, text: string, sentAtMs = Date.UTC(2026, 10, 20, 12)): Entry => {
  const id = `ada/${sequence}`
  return {
    kind: "message",
    id,
    message: { id, from: ada, text, sentAtMs, position: position(sequence) } as ChannelMessage,
  }
}

it("saves the chat as shown, with edits and arrivals, without deleted texts", () => {
  void startI18n(["en-GB"])
  const notice: Entry = {
    kind: "notice",
    id: "n",
    position: position(0),
    joined: [ada],
    returned: [],
    left: [],
    lost: [],
    removed: [],
  }
  const transcript = [notice, message(1, "one"), message(2, "two"), message(3, "three", Number.NaN)]
  let marks = addMark(new Map(), { type: "edit", of: "ada/1", text: "ONE" }, { from: ada, position: position(4) })
  marks = addMark(marks, { type: "delete", of: "ada/2" }, { from: ada, position: position(5) })
  const text = chatAsText(transcript, marks, t, i18next.language).replaceAll(/\d\d:\d\d:\d\d/gu, "hh:mm:ss")
  expect(text).toBe(
    [
      "— Ada joined.\n",
      "Ada, 20/11/2026, hh:mm:ss (edited):\nONE\n",
      "Ada, 20/11/2026, hh:mm:ss:\nDeleted by its author.\n",
      "Ada:\nthree\n",
    ].join("\n"),
  )
})
