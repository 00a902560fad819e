/** A check that cannot fail is none, so each rule is seen to fail. */
import { expect, test } from "vitest"
import { lintProse } from "./lint.ts"
import { complaints, countsOf } from "./ratchet.ts"

const words = (count: number): string => `${Array.from({ length: count }, () => "word").join(" ")}.`
const rulesOf = async (file: string, text: string): Promise<string[]> =>
  (await lintProse(file, text)).map(({ rule, line }) => `${rule} ${line}`)

test("reports a sentence when it has more than 25 words", async () => {
  expect(await rulesOf("a.md", `# Title\n\n${words(25)}\n\n${words(26)}\n`)).toEqual(["sentence-length 5"])
})

test("ends a sentence at milliseconds", async () => {
  expect(await rulesOf("a.md", `It takes ${words(18).slice(0, -1)} 3 ms. ${words(10)}\n`)).toEqual([])
})

test("counts a code span as one word", async () => {
  expect(await rulesOf("a.md", `${words(20)}`.replace("word", "`one two three four five six seven`"))).toEqual([])
})

test("reports an opening that hides the subject, except in a question", async () => {
  expect(await rulesOf("a.md", "Who sends waits.\n\nWho sends?\n\nOf two, one waits.\n")).toEqual([
    "sentence-opening 1",
    "sentence-opening 5",
  ])
})

test("reports words to avoid, also in upper case", async () => {
  expect(await rulesOf("a.md", "It blocks whoever sends.\n\nIt is SO, Whoever.\n")).toEqual(["words 1", "words 3"])
})

test("reports a paragraph when it has more than 80 words, and a list item alone", async () => {
  const sentences = (count: number): string => Array.from({ length: count }, () => words(20)).join(" ")
  expect(await rulesOf("a.md", `${sentences(4)}\n\n${sentences(4)} Word.\n`)).toEqual(["paragraph-length 3"])
  expect(await rulesOf("a.md", `- ${sentences(4)}\n- ${sentences(4)}\n`)).toEqual([])
  expect(await rulesOf("a.ts", `/**\n * ${sentences(4)}\n * @throws Error on Mondays\n */`)).toEqual([])
})

test("reports a sentence of a cell, and reads each of its lines alone", async () => {
  const table = (cell: string): string => `| id | what |\n| --- | --- |\n| A1 | ${cell} |\n`
  expect(await rulesOf("a.md", table(words(26)))).toEqual(["sentence-length 3"])
  expect(await rulesOf("a.md", table(`${words(25)} ${words(25)}`))).toEqual([])
  expect(await rulesOf("a.md", table(`${words(20).slice(0, -1)}<br>${words(20)}`))).toEqual([])
  expect(await rulesOf("a.md", table("fine<br>blocks whoever sends"))).toEqual(["words 3"])
})

test("reports a former name in a document, also as code, and not in a comment", async () => {
  expect(await rulesOf("a.md", "A member hands over `HandingOver`.\n\nKeep pace.\n")).toEqual(["names 1"])
  expect(await rulesOf("a.ts", "// A member hands over.")).toEqual([])
})

test("reports texts of the English catalogue, and no other strings of the app", async () => {
  const source = `// Fine.\nexport const texts = {\n  a: "Fine.",\n  b: "It blocks whoever sends.",\n  c: \`${words(26)}\`,\n}\n`
  expect(await rulesOf("apps/web/src/i18n/en/texts.ts", source)).toEqual(["words 4", "sentence-length 5"])
  expect(await rulesOf("apps/web/src/i18n/de/texts.ts", source)).toEqual([])
})

test("reads comments of source files and leaves code, strings and directives alone", async () => {
  const source = [
    "// oxlint-disable-next-line whoever",
    `const text = "Who sends waits, whoever."`,
    "/**",
    " * Fine.",
    " * What is sent waits.",
    " */",
    "// Fine,",
    "// but whoever.",
  ]
  expect(await rulesOf("a.ts", source.join("\n"))).toEqual(["sentence-opening 5", "words 7"])
})

test.each(["test", "it"])("reports a name of %s when it has more than 80 characters", async (callee) => {
  const source = (length: number): string =>
    `${callee}.each([1])("${"x".repeat(length)}", () => {})\n${callee}("fine", () => {})\n`
  expect(await rulesOf("a.test.ts", source(80))).toEqual([])
  expect(await rulesOf("a.test.ts", source(81))).toEqual(["test-name 1"])
})

test.each(["who sends waits", "and waits", "Nobody waits", "that ${name} waits"])(
  "reports a test name when it opens as %j does",
  async (name) => expect(await rulesOf("a.test.ts", `test(\`${name}\`, () => {})\n`)).toEqual(["test-name 1"]),
)

test.each(["notifies whom it named", "is told once", "goes on after a loss", "is handed over", "is called off"])(
  "reports a test name when it has words like %j",
  async (name) => expect(await rulesOf("a.test.ts", `it.each([1])("${name}", () => {})\n`)).toEqual(["test-name 1"]),
)

test("accepts a test name when the verb or the subject opens it", async () => {
  const names = ["waits when nobody sends", "a member waits", "thatched", "is lifelike"]
  expect(await rulesOf("a.test.ts", names.map((name) => `test("${name}", () => {})\n`).join(""))).toEqual([])
})

test("allows a file its former count, and asks to lower it when there are fewer", () => {
  const found = [{ line: 1, rule: "words", message: "Not that" }]
  const findings = new Map([["a.md", found]])
  expect(countsOf(findings)).toEqual({ "a.md": 1 })
  expect(complaints(findings, { "a.md": 1 })).toEqual([])
  expect(complaints(findings, {})).toEqual(["a.md:", "  a.md:1 Not that"])
  expect(complaints(new Map(), { "a.md": 1 }).join()).toContain("--update")
})
