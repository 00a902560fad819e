import * as fc from "fast-check"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import { MessageText } from "../../src/chat/items/MessageText.tsx"
import { cutBlocks, LIST_LINES_MAX } from "../../src/chat/markup/blocks.ts"
import { cutNamedLinks } from "../../src/chat/markup/namedLinks.ts"

const html = (text: string) => renderToStaticMarkup(<MessageText text={text} />)

it("writes lists with points and with numbers", () => {
  expect(html("To do:\n- one\n- **two**\n3. three\n4. four\ndone")).toBe(
    '<div class="message-text" dir="auto"><p>To do:</p><ul><li>one</li><li><strong>two</strong></li></ul>' +
      '<ol start="3"><li>three</li><li>four</li></ol><p>done</p></div>',
  )
})

it.each(["-no space", "- ", "1.", "2026 was good", "```\n- code\n- more\n```", "-"])("makes no list of %j", (text) => {
  expect(html(text)).not.toMatch(/<[uo]l/u)
})

it("shows the true address beside the words of a link", () => {
  const markup = html("see [https://bank.example](https://evil.example/x)")
  expect(markup).toContain(
    '<a href="https://evil.example/x" target="_blank" rel="noopener noreferrer nofollow">https://bank.example</a>',
  )
  expect(markup).toContain("(https://evil.example/x)</bdi>")
})

it("keeps the direction of a link's words from the address beside them", () => {
  const words = "\u202eelpmaxe.knab"
  expect(html(`[${words}](https://evil.example)`)).toMatch(
    /<bdi><a [^>]+>\u202e[a-z.]+<\/a><\/bdi> <bdi class="link-address">/u,
  )
})

it("links no address that names a user before its host", () => {
  for (const user of ["bank.example", "bank.example:443", "bank.example%2Flogin"])
    expect(html(`see https://${user}@evil.example/ and [x](https://${user}@evil.example/)`)).not.toMatch(
      /href="[^"]*evil/u,
    )
  expect(html("write to mailto:b@c.example")).toContain('href="mailto:b@c.example"')
})

it.each([
  "[x](javascript:alert(1))",
  "[x](data:text/html,y)",
  "[x](ftp://a.example/b)",
  "[x](//a.example)",
  "[x](https://)",
  "[x](https://bank.example@evil.example/)",
  "[x](https://bank.example%2Flogin:y@evil.example/)",
  "[a\nb](https://a.example)",
  "`[x](https://a.example)`",
])("makes no named link of %j", (text) => {
  expect(html(text)).not.toContain('class="link-address"')
  expect(html(text)).not.toMatch(/href="(?:javascript|data|ftp):/u)
})

it("loses no character of a text with links, and no line of one with lists", () => {
  const parts = fc.constantFrom(
    "[",
    "]",
    "(",
    ")",
    "https://a.example",
    "mailto:b@c.example",
    "x",
    " ",
    "\n",
    "- ",
    "1. ",
  )
  fc.assert(
    fc.property(fc.array(parts), (chosen) => {
      const text = chosen.join("")
      const shown = cutNamedLinks(text).map((piece) => (piece.href === null ? piece.text : ""))
      expect(text.length).toBeGreaterThanOrEqual(shown.join("").length)
      const lines = cutBlocks(text).flatMap((block) => (block.kind === "list" ? block.items : block.text.split("\n")))
      expect(lines).toHaveLength(text.split("\n").length)
    }),
  )
})

it("a text of more lines than the bound has no lists", () => {
  const text = "- x\n".repeat(10 * LIST_LINES_MAX)
  expect(cutBlocks(text)).toEqual([{ kind: "text", text }])
})
