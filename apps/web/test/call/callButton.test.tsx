import { renderToStaticMarkup } from "react-dom/server"
import { beforeAll, expect, it } from "vitest"
import { CallButton } from "../../src/call/CallButton.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"
import { open, settled, useFakeBrowser } from "./fakeCall.ts"

useFakeBrowser()
beforeAll(() => void startI18n(["en-GB"]))

it("stays behind the preview, whose end gives it the focus back", () => {
  const isShown = (state: string): boolean => {
    const session = { call: { state: store(state), participants: store([]) } } as unknown as Session
    return renderToStaticMarkup(<CallButton session={session} />).includes("<button")
  }
  expect(["out", "preview", "entering", "in"].filter(isShown)).toEqual(["out", "preview", "entering"])
})

it("does nothing while the person is joining", async () => {
  const { call, media } = open()
  media.enter = async () => new Promise(() => {})
  void call.join()
  call.preview()
  await settled()
  expect(call.state.get()).toBe("entering")
})
