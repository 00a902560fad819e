import * as fc from "fast-check"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import { MessageText } from "../../src/chat/items/MessageText.tsx"
import { LINKIFY_LENGTH_MAX, cutLinks } from "../../src/chat/markup/linkify.ts"

const html = (text: string) => renderToStaticMarkup(<MessageText text={text} />)

it("makes web and mail addresses links that tell the target nothing", () => {
  const link = (href: string, text: string) =>
    `<a href="${href}" target="_blank" rel="noopener noreferrer nofollow">${text}</a>`
  expect(html("see https://example.org/a?b=1&c=2.")).toBe(
    `<p class="message-text" dir="auto">see ${link("https://example.org/a?b=1&amp;c=2", "https://example.org/a?b=1&amp;c=2")}.</p>`,
  )
  expect(html("see www.example.org/a.")).toContain(`see ${link("https://www.example.org/a", "www.example.org/a")}.`)
  expect(html("example.com")).not.toContain("<a") // A file name may look like that too.
  expect(html("ada@example.com")).toContain(link("mailto:ada@example.com", "ada@example.com"))
})

it.each([
  "javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
  "file:///etc/passwd",
  "ftp://example.org/x",
  "//example.org/x",
])("makes no link of %s", (text) => {
  expect(cutLinks(text).filter((piece) => piece.href !== null && !piece.href.startsWith("http"))).toEqual([])
  expect(html(text)).not.toMatch(/href="(javascript|data|vbscript|file|ftp|\/\/)/)
})

it("shows markup as the text it is", () => {
  expect(html(`<img src=x onerror=alert(1)>`)).toBe(
    `<p class="message-text" dir="auto">&lt;img src=x onerror=alert(1)&gt;</p>`,
  )
})

it("does not let a link end in what belongs to the sentence", () => {
  expect(cutLinks("(https://example.org)").map((piece) => piece.text)).toEqual(["(", "https://example.org", ")"])
})

it("loses no character of what was written", () => {
  const words = fc.constantFrom(
    "https://a.example/",
    "b@c.example",
    " ",
    "\n",
    "(",
    ").",
    "<a>",
    "ü",
    "www.x.org",
    ":",
    "//",
  )
  fc.assert(
    fc.property(
      fc.array(words),
      (parts) =>
        cutLinks(parts.join(""))
          .map((piece) => piece.text)
          .join("") === parts.join(""),
    ),
  )
})

it("does not search a text as long as a book", () => {
  const long = `https://example.org ${"x".repeat(LINKIFY_LENGTH_MAX)}`
  expect(cutLinks(long)).toEqual([{ text: long, href: null }])
})
