import { expect, test } from "vitest"
import { withIntegrity } from "../../build/subresourceIntegrity.ts"

const PAGE = `<head><link rel="icon" href="/icon.svg" /><script type="module" crossorigin src="/assets/main.js"></script>
<link rel="modulepreload" crossorigin href="/assets/shared.js"><link rel="stylesheet" crossorigin href="/assets/main.css"></head>`
const HASHES = {
  "/assets/later.js": "sha384-later",
  "/assets/main.css": "sha384-style",
  "/assets/main.js": "sha384-main",
  "/assets/shared.js": "sha384-shared",
}

test("the page names the hash of each file it loads and of each module these load", () => {
  const page = withIntegrity(PAGE, HASHES)
  expect(page).toContain('src="/assets/main.js" integrity="sha384-main"></script>')
  expect(page).toContain('href="/assets/shared.js" integrity="sha384-shared">')
  expect(page).toContain('href="/assets/main.css" integrity="sha384-style">')
  expect(page).toContain('<link rel="icon" href="/icon.svg" />')
  const [map = "", behind = ""] = page.split('<script type="importmap">')[1]?.split("</script>\n") ?? []
  expect(JSON.parse(map)).toEqual({
    integrity: {
      "/assets/later.js": "sha384-later",
      "/assets/main.js": "sha384-main",
      "/assets/shared.js": "sha384-shared",
    },
  })
  expect(behind).toContain('type="module"')
})

test("a page that names what was not built is no page", () => {
  expect(() => withIntegrity(PAGE, {})).toThrow(/\/assets\/main\.js, which was not built/u)
  expect(() => withIntegrity("<head></head>", HASHES)).toThrow(/no module/u)
})
