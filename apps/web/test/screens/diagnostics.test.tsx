import type { Diagnostics, Member, ViewRecord } from "@keymoot/core"
import { renderToStaticMarkup } from "react-dom/server"
import { beforeAll, expect, it } from "vitest"
import { Connections } from "../../src/diagnostics/Connections.tsx"
import { nameFrom } from "../../src/diagnostics/nameOf.ts"
import { ViewHistory } from "../../src/diagnostics/ViewHistory.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import type { LogLine } from "../../src/session/log.ts"

beforeAll(() => void startI18n(["en-GB"]))

const BOB = "b".repeat(32) as Member["id"]
const EVE = "e".repeat(32) as Member["id"]
const bob = { id: BOB, name: "Bob" } as Member
const joined = { kind: "view", joined: [bob], returned: [], left: [] } as unknown as LogLine
const nameOf = nameFrom([joined], [])

function history(...views: readonly Partial<ViewRecord>[]): string {
  const base = { installedAtMs: 0, securedAtMs: 1, members: 2, cause: "changed", joined: [], gone: [] } as const
  const records = views.map((view, index) => ({ ...base, epoch: index + 1, ...view }))
  return renderToStaticMarkup(
    <ViewHistory diagnostics={{ views: records } as unknown as Diagnostics} nameOf={nameOf} />,
  )
}

it("names people that have left, with the digits by which the copied text calls them", () => {
  expect(nameOf(BOB)).toBe("Bob (bbbbbbbb)")
  expect(nameOf(EVE)).toBe("eeeeeeee")
})

it("says why each member is gone", () => {
  const sentences = {
    left: "Bob (bbbbbbbb) left.",
    removed: "A host removed Bob (bbbbbbbb).",
    "link-lost": "The connection to Bob (bbbbbbbb) was lost.",
    silent: "Bob (bbbbbbbb) did not respond any more.",
    excluded: "Bob (bbbbbbbb) delayed the others and is left out for a while.",
    coordinator: "Another person could not reach Bob (bbbbbbbb) any more.",
  } as const
  for (const [departure, sentence] of Object.entries(sentences))
    expect(history({ gone: [{ member: BOB, departure: departure as keyof typeof sentences }] })).toContain(sentence)
})

it("shows the latest view first, and which earlier one got no key", () => {
  const html = history(
    { cause: "entered" },
    { cause: "merged", joined: [BOB], securedAtMs: null },
    { cause: "rekeyed", securedAtMs: null },
  )
  const places = ["The same people", "Connected with Bob (bbbbbbbb) again. No key was agreed", "You joined. 2 people."]
  const found = places.map((place) => html.indexOf(place))
  expect(found).not.toContain(-1)
  expect(found).toEqual(found.toSorted((a, b) => a - b))
  expect(html.match(/No key was agreed/gu)).toHaveLength(1)
})

it("describes a path, its round trip and what waits there", () => {
  const facts = { unacknowledgedBytes: 0, windowBytes: 1 }
  const links = [
    { ...facts, member: BOB, path: "direct", roundTripMs: 42 },
    { ...facts, member: EVE, path: "relayed-by-server", roundTripMs: null, unacknowledgedBytes: 12_000 },
  ] as const
  const html = renderToStaticMarkup(
    <Connections diagnostics={{ server: "down", links } as unknown as Diagnostics} nameOf={nameOf} />,
  )
  expect(html).toContain("The server can’t be reached.")
  expect(html).toContain("<dt>Bob (bbbbbbbb)</dt><dd>Direct, round trip 42\u00A0ms</dd>")
  expect(html).toContain("<dd>Through the server, 12\u00A0kB not confirmed yet</dd>")
})
