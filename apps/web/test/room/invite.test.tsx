import * as fc from "fast-check"
import { t } from "i18next"
import { renderToStaticMarkup } from "react-dom/server"
import { afterEach, beforeAll, expect, it, vi } from "vitest"
import { startI18n } from "../../src/i18n/index.ts"
import { InvitationHint } from "../../src/invite/InvitationHint.tsx"
import { AloneCard } from "../../src/invite/AloneCard.tsx"
import { calendarFile } from "../../src/invite/calendarFile.ts"
import { invitationCalendar, invitationText } from "../../src/invite/invitation.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

beforeAll(() => void startI18n(["en-GB"]))
afterEach(() => void vi.unstubAllEnvs())

const AT_MS = Date.UTC(2026, 0, 15, 9, 30)
const LINK = `https://meet.example/c/5#${"s".repeat(66)}`
const endsAtMs = AT_MS + 3_600_000
const invited = {
  id: "5".repeat(32),
  title: "The roof",
  url: LINK,
  opensAtMs: AT_MS,
  endsAtMs,
  policy: "link",
} as const

it("writes a calendar event with UTC times and lines that end with CRLF", () => {
  const file = invitationCalendar(invited, AT_MS - 1, t)
  expect(file.endsWith("END:VCALENDAR\r\n")).toBe(true)
  expect(file).toContain("\r\nDTSTART:20260115T093000Z\r\nDTEND:20260115T103000Z\r\nSUMMARY:The roof\r\n")
  expect(file.replaceAll("\r\n ", "")).toContain(`\r\nURL:${LINK}\r\n`)
})

it("a title that looks like calendar lines stays the text of one property", () => {
  const title = "x\r\nATTACH:https://evil.example\nEND:VEVENT\rBEGIN:VALARM;a,b\\"
  const lines = invitationCalendar({ ...invited, title }, AT_MS, t)
    .replaceAll("\r\n ", "")
    .split("\r\n")
  expect(lines.filter((line) => /^(?:ATTACH|BEGIN:VALARM)/u.test(line))).toEqual([])
  expect(lines.filter((line) => line === "END:VEVENT")).toHaveLength(1)
  expect(lines).toContain(String.raw`SUMMARY:x\nATTACH:https://evil.example\nEND:VEVENT\nBEGIN:VALARM\;a\,b\\`)
})

it("folds every text into lines of 75 octets, and keeps all that can be printed", () => {
  const isPrinted = (char: string): boolean => char >= " " && char !== "\u007f"
  const texts = fc.string({ unit: "grapheme", maxLength: 300 })
  fc.assert(
    fc.property(texts, texts, (summary, description) => {
      const file = calendarFile({ ...invited, summary, description, startsAtMs: 0, endsAtMs: 0 }, 0)
      for (const line of file.split("\r\n")) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
      const lines = file.replaceAll("\r\n ", "").split("\r\n")
      expect(lines).toHaveLength(14)
      const written = lines.find((line) => line.startsWith("SUMMARY:"))!.slice("SUMMARY:".length)
      const read = written.replaceAll(/\\(.)/gu, (_, char: string) => (char === "n" ? "" : char))
      expect(read).toBe([...summary].filter(isPrinted).join(""))
      expect([...file].every((char) => isPrinted(char) || "\r\n".includes(char))).toBe(true)
    }),
  )
})

it("names the time of a later conference, and the whole link, in an invitation", () => {
  expect(invitationText(invited, AT_MS - 1, t, "en-GB")).toContain("It opens on Thursday")
  const now = invitationText({ ...invited, title: "" }, AT_MS, t, "en-GB")
  expect(now).not.toContain("It opens on")
  expect(now).toContain(`\n\n${LINK}\n\n`)
})

it.each([
  ["en-GB", "America/New_York", /^.*Thursday.* 04:30 GMT-5\.$/mu],
  ["en-US", "America/Chicago", /^.*Thursday.* 3:30\sAM GMT-6\.$/mu],
  ["de", "Asia/Tokyo", /^.*Donnerstag.* 18:30 GMT\+9\.$/mu],
  ["fr", "Asia/Kolkata", /^.*jeudi.* 15:00 UTC\+5:30\.$/mu],
])("names the difference to Greenwich beside the time in %s from %s", (language, zone, said) => {
  vi.stubEnv("TZ", zone)
  expect(invitationText(invited, AT_MS - 1, t, language)).toMatch(said)
})

const WHO = {
  link: "Anyone who has this link can join.",
  approval: "People with this link wait until a host lets them in.",
  roster: "Only people who were named for this conference can join.",
  ca: "Only people with a certificate of the organisation can join.",
}

it.each(["link", "approval", "roster", "ca", null] as const)("says who can join when it is: %s", (policy) => {
  const asked = { ...invited, policy }
  const calendar = invitationCalendar(asked, AT_MS, t).replaceAll("\r\n ", "")
  const hint = policy === null ? [] : [renderToStaticMarkup(<InvitationHint policy={policy} />)]
  for (const said of [invitationText(asked, AT_MS, t, "en-GB"), calendar, ...hint]) {
    const found = Object.values(WHO).filter((sentence) => said.includes(sentence))
    expect(found).toEqual(policy === null ? [] : [WHO[policy]])
    if (policy !== "link") expect(said).not.toMatch(/any(?:one|body)/iu)
  }
})

function card(members: number, lost: number, history = "everything", copyOnly = false, late = false): string {
  const session = {
    handle: { id: "5", title: "", history, copyOnly, timeFrame: { opensAtMs: AT_MS }, admission: { policy: "link" } },
    view: store({ status: "secured", members: Array.from({ length: members }, () => ({})) }),
    lost: store(Array.from({ length: lost }, () => ({}))),
    admission: store({ endsAtMs: AT_MS }),
    invitation: store(LINK),
    late: store(late),
  } as unknown as Session
  return renderToStaticMarkup(<AloneCard session={session} />)
}

it("tells a person who is alone what to do next, and shows the link only when asked", () => {
  expect(card(1, 0)).toContain("Send the invitation")
  expect(card(1, 0)).toContain("People who join later see it, too.")
  expect(card(1, 0, "from-join")).toContain("only new messages")
  expect(card(1, 0)).not.toContain("#sss")
})

it("is absent with others, with lost ones, above a kept copy, and after the end", () => {
  const absent = [card(2, 0), card(1, 1), card(1, 0, "everything", true), card(1, 0, "everything", false, true)]
  expect(absent).toEqual(["", "", "", ""])
})
