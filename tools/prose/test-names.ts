/** Test names: `does X when Y`, short, with the verb or the subject first, in the field's words. */
import { type CallExpression, parseSync, Visitor } from "oxc-parser"
import type { Finding } from "./lint.ts"

export const TEST_NAME_MAX = 80
const TESTS: ReadonlySet<string> = new Set(["test", "it"])

/** Openings that hide the subject, or continue the name of another test. */
const OPENING =
  /^(?:to|who|whoever|whom|whose|nobody|somebody|what|whatever|where|wherever|of|and|so|nor|or|but|neither|nothing|that|those|there)\b/iu
/** Words of a dialect, for which the field has a term: notified, reported, continues, transferred, cancelled, incarnation. */
const DIALECT =
  /\b(?:told|whom|whomever|whoever|whatever|wherever|go(?:es)? on|hand(?:s|ed)? over|call(?:s|ed)? off|life)\b/iu

/** `test("…")`, `it("…")`, `test.each(…)("…")` and the like. Placeholders of templates count as they are written. */
export function testNameFindings(file: string, source: string): Finding[] {
  const findings: Finding[] = []
  const visitor = new Visitor({
    CallExpression(call) {
      const name = nameOf(call, source)
      if (!TESTS.has(calleeOf(call) ?? "") || !name) return
      const line = source.slice(0, call.start).split("\n").length
      for (const fault of faultsOf(name)) {
        findings.push({ line, rule: "test-name", message: `Test name ${fault}: "${name.slice(0, 60)}"` })
      }
    },
  })
  visitor.visit(parseSync(file, source).program)
  return findings
}

function faultsOf(name: string): string[] {
  const [opening, word] = [OPENING.exec(name)?.[0], DIALECT.exec(name)?.[0]]
  return [
    ...(name.length > TEST_NAME_MAX ? [`of ${name.length} characters; at most ${TEST_NAME_MAX}`] : []),
    ...(opening ? [`begins with "${opening}", and not with what is done`] : []),
    ...(word ? [`with "${word}", which is no term of the field`] : []),
  ]
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
