import type { LinkPath } from "@keymoot/core"
import { renderToStaticMarkup } from "react-dom/server"
import { beforeAll, expect, it } from "vitest"
import { LinksNote } from "../../src/call/notes/LinksNote.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

beforeAll(() => void startI18n(["en-GB"]))

const said = (...paths: readonly LinkPath[]): string => {
  const links = new Map(paths.map((path, index) => [`${index}`, path]))
  return renderToStaticMarkup(<LinksNote session={{ links: store(links) } as unknown as Session} />)
}

it("says before a call that it connects only members with a direct connection", () => {
  expect(said("direct", "relayed-by-member")).toContain("Some people here have no direct connection to you.")
})

it("says nothing when everybody has a link", () => {
  expect(said("direct", "relayed-by-server")).toBe("")
})
