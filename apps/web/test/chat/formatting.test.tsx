import * as fc from "fast-check"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import { MessageText } from "../../src/chat/items/MessageText.tsx"
import { cutFormats } from "../../src/chat/markup/formatting.ts"

const html = (text: string) =>
  renderToStaticMarkup(<MessageText text={text} />).replace(/^<p class="message-text" dir="auto">|<\/p>$/gu, "")

it.each([
  ["**bold** and *italic*, _so_, ~~not~~", "<strong>bold</strong> and <em>italic</em>, <em>so</em>, <s>not</s>"],
  ["run `rm **x**`", "run <code>rm **x**</code>"],
  ["```\nif (a) {\n  b()\n}\n```", '<code class="code-block" tabindex="0">if (a) {\n  b()\n}</code>'],
  ["2 * 3 * 4 and a_b_c", "2 * 3 * 4 and a_b_c"],
  ["** not bold ** nor **this", "** not bold ** nor **this"],
  ["`<b>`", "<code>&lt;b&gt;</code>"],
])("writes %j as %s", (text, expected) => {
  expect(html(text)).toBe(expected)
})

it("leaves addresses whole and makes links in bold text", () => {
  const address = "https://a.example/_x_/b_c_d?e=*f*"
  expect(html(address)).toContain(`>${address}</a>`)
  expect(html("**https://a.example/**")).toMatch(/^<strong><bdi><a href="https:\/\/a\.example\/"/u)
})

it("makes no element but the few it knows, and loses nothing but marks", () => {
  const parts = fc.constantFrom("**", "*", "_", "`", "```", "~~", "\n", " ", "a", "é", "<script>", "https://x.example/")
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 40 }), (chosen) => {
      const text = chosen.join("")
      const elements = [...html(text).matchAll(/<\/?([a-z]+)/gu)].map(([, name]) => name)
      expect(elements.filter((name) => !["strong", "em", "s", "code", "a", "bdi"].includes(name!))).toEqual([])
      const letters = (value: string) => value.replaceAll(/[*_`~\n]/gu, "")
      expect(
        letters(
          cutFormats(text)
            .map((run) => run.text)
            .join(""),
        ),
      ).toBe(letters(text))
    }),
  )
})

it("reads what was made to be slow to read only once", () => {
  for (const bait of ["**a", "`", "```a", "_a", "*a ", "~~"]) {
    const text = bait.repeat(10_000).slice(0, 20_000)
    const before = process.cpuUsage().user
    cutFormats(text)
    // One pass takes some 10 ms; what goes back over it for each mark takes minutes.
    expect(process.cpuUsage().user - before, bait).toBeLessThan(3_000_000)
  }
})
