import * as fc from "fast-check"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import { MessageText } from "../../src/chat/items/MessageText.tsx"
import { LINKIFY_LENGTH_MAX, cutLinks } from "../../src/chat/markup/linkify.ts"

const html = (text: string) => renderToStaticMarkup(<MessageText text={text} />)

it("makes web and mail addresses links that tell the target nothing", () => {
  const link = (href: string, text: string) =>
    `<bdi><a href="${href}" target="_blank" rel="noopener noreferrer nofollow">${text}</a></bdi>`
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

it.each([
  ["letters of another script", "https://аррӏе.com/login", "https://xn--80ak6aa92e.com/login"],
  ["a slash that is none", "https://paypal.com⁄login.evil.com/x", "https://paypal.xn--comlogin-g03d.evil.com/x"],
  ["an invisible character", "https://ev\u200bil.example/x", "https://evil.example/x"],
  ["a number that stands for another", "https://127.1/x", "https://127.0.0.1/x"],
  ["a control that turns it around", "https://evil.com/\u202emoc.knab", "https://evil.com/%E2%80%AEmoc.knab"],
  ["a mail address in another script", "ada@müller.de", "mailto:ada@m%C3%BCller.de"],
])("shows the true address beside a link with %s", (_, text, href) => {
  expect(html(text)).toMatch(new RegExp(`>${text}</a></bdi> <bdi class="link-address">\\(`, "u"))
  expect(html(text)).toContain(`(${href})`)
})

it("draws a link apart from a control before it that turns text around", () => {
  expect(html("\u202e https://gro.evil.com/moc.knab.www//:sptth")).toMatch(/\u202e <bdi><a [^>]+>https:/u)
})

it.each([
  "https://example.org",
  "HTTPS://Example.ORG:443/a",
  "http://example.org:8080?a#b",
  "www.Example.org/Österreich",
  "https://example.org/אבג",
  "Ada@Example.com",
  "mailto:ada@example.com",
])("shows no second address beside %s", (text) => {
  expect(html(text)).toContain("<a ")
  expect(html(text)).not.toContain("link-address")
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
