import { renderToStaticMarkup } from "react-dom/server"
import { beforeAll, expect, it } from "vitest"
import type { Arrival } from "../../src/arrival.ts"
import { startI18n } from "../../src/i18n/index.ts"
import { InsecureScreen } from "../../src/screens/InsecureScreen.tsx"

beforeAll(() => void startI18n(["en-GB"]))

it("leads to the same invitation over https when the host has a name", () => {
  const url = "http://meet.example:8080/c/0a1b#secret.hash"
  const markup = show("http://meet.example:8080/c/0a1b", { kind: "invitation", id: "0a1b", url })
  expect(markup).toContain('href="https://meet.example/c/0a1b#secret.hash"')
  expect(markup).toContain("Open https://meet.example")
})

it.each(["http://192.168.1.5:8080/", "http://[fd00::2]:8080/", "http://laptop:8080/"])(
  "names the server's operator at %s, and the address that works there",
  (href) => {
    const markup = show(href, { kind: "start" })
    expect(markup).not.toContain("<a ")
    expect(markup).toContain("Ask the person who runs this server for its https address.")
    expect(markup).toContain("http://localhost:8080")
  },
)

function show(href: string, arrival: Arrival): string {
  return renderToStaticMarkup(<InsecureScreen arrival={arrival} location={new URL(href)} />)
}
