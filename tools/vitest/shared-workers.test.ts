import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { sharingFiles } from "./shared-workers.ts"

/** Which of these files share a worker. */
function sharing(texts: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), "keymoot-sharing-"))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return sharingFiles(root, ["test/**/*.test.ts"])
}

test("lets files share a worker when they use spies, state and hooks of their own", () => {
  const text = 'import { a } from "../src/a.ts"\nlet own = 0\nafterEach(() => own++)\nvi.spyOn(a, "b")\n'
  const files = { "test/a.test.ts": text, "test/b/b.test.ts": "vi.fn()", "src/a.ts": "globalThis.a = 1" }
  expect(sharing(files)).toEqual(["test/a.test.ts", "test/b/b.test.ts"])
})

test.each([
  'vi.mock("./a.ts")',
  "vi.useFakeTimers()",
  'vi.stubGlobal("fetch", null)',
  "globalThis.crypto = fake",
  "Object.assign(globalThis, { fake })",
  'Object.defineProperty(crypto, "getRandomValues", fake)',
  "Map.prototype.get = fake",
  'process.env["TZ"] = "UTC"',
  'process.on("uncaughtException", fake)',
  'import "fake-indexeddb/auto"',
  'import v8 from "node:v8"',
  'import { Session } from "node:inspector/promises"',
  // In one piece it would be an instruction about this file.
  `// @${"vitest-environment"} jsdom`,
])("gives a file a worker of its own when it or its helper has %s", (text) => {
  const helped = 'import { help } from "./help.ts"\nimport "./between.ts"'
  const files = { "test/help.ts": 'export * from "./deep.ts"', "test/deep.ts": text, "test/between.ts": "" }
  expect(sharing({ "test/a.test.ts": text, "test/b.test.ts": helped, ...files })).toEqual([])
})

test.each(["let count = 0", "export let count = 0", "afterEach(() => stop())", "beforeAll(start)"])(
  "gives a file a worker of its own when its helper has state or hooks: %s",
  (text) => {
    expect(sharing({ "test/a.test.ts": 'import { help } from "./help.ts"', "test/help.ts": text })).toEqual([])
  },
)
