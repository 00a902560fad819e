/** Test names that are too long: a long one tells more than one behaviour. */
import { type CallExpression, parseSync, Visitor } from "oxc-parser"
import type { Finding } from "./lint.ts"

export const TEST_NAME_MAX = 80
const TESTS: ReadonlySet<string> = new Set(["test", "it"])

/** `test("…")`, `it("…")`, `test.each(…)("…")` and the like. Placeholders of templates count as they are written. */
export function longTestNames(file: string, source: string): Finding[] {
  const findings: Finding[] = []
  const visitor = new Visitor({
    CallExpression(call) {
      const name = nameOf(call, source)
      if (!TESTS.has(calleeOf(call) ?? "") || !name || name.length <= TEST_NAME_MAX) return
      const message = `Test name of ${name.length} characters; at most ${TEST_NAME_MAX}: "${name.slice(0, 60)}"`
      findings.push({ line: source.slice(0, call.start).split("\n").length, rule: "test-name", message })
    },
  })
  visitor.visit(parseSync(file, source).program)
  return findings
}

function calleeOf({ callee }: CallExpression): string | null {
  if (callee.type === "Identifier") return callee.name
  if (callee.type === "CallExpression") return calleeOf(callee)
  return callee.type === "MemberExpression" && callee.object.type === "Identifier" ? callee.object.name : null
}

function nameOf({ arguments: [first] }: CallExpression, source: string): string | null {
  if (first?.type === "Literal" && typeof first.value === "string") return first.value
  return first?.type === "TemplateLiteral" ? source.slice(first.start + 1, first.end - 1) : null
}
