/** Finds the tests of a file that run, by its syntax tree. Text alone shows neither comments nor skipped groups. */
import { type Argument, type CallExpression, type Expression, parseSync, Visitor } from "oxc-parser"

export type FoundTest = {
  readonly title: string
  /** Whether something that the file asks for, such as a service, decides whether it runs. */
  readonly isConditional: boolean
}

type Standing = "always" | "conditional" | "never"
/** A file, a group or a test. A call of `skip` inside changes its standing, also that of tests before the call. */
type Scope = { readonly parent: Scope | null; readonly title: string | null; standing: Standing }
/** One name of `test.skipIf(missing).each(rows)`, with the arguments of its call; null if it is not called. */
type Link = { readonly name: string; readonly given: readonly Argument[] | null }

const BASES: ReadonlySet<string> = new Set(["test", "it", "describe"])
/** Names after which a call with a title still declares a test or a group. */
const LINKS: ReadonlySet<string> = new Set(["describe", "each", "for", "concurrent", "sequential", "only"])
/** Declarations that never run, or that have to fail. */
const STOPPED: ReadonlySet<string> = new Set(["skip", "todo", "fixme", "fails", "fail"])
const CONDITIONS: ReadonlySet<string> = new Set(["skipIf", "runIf"])

/** Many rows name the same file. */
const parsed = new Map<string, readonly FoundTest[]>()

/** Tests with a body, without those that never run. */
export function testsIn(file: string, source: string): readonly FoundTest[] {
  const known = parsed.get(source) ?? parseTests(file, source)
  parsed.set(source, known)
  return known
}

function parseTests(file: string, source: string): FoundTest[] {
  const found: Scope[] = []
  const root: Scope = { parent: null, title: null, standing: "always" }
  let scope = root
  const opened = new Map<CallExpression, Scope>()
  const visitor = new Visitor({
    CallExpression(call) {
      const links = linksOf(call.callee)
      if (!links) return
      if (isSkip(links, call, scope)) return (scope.standing = worse(scope.standing, skipped(call.arguments)))
      const title = declaredTitle(links, call, source)
      if (title === null) return
      const isTest = links[0]!.name !== "describe" && links.every(({ name }) => name !== "describe")
      scope = { parent: scope, title: isTest ? title : null, standing: standingOf(links, call.arguments) }
      opened.set(call, scope)
      if (isTest) found.push(scope)
    },
    "CallExpression:exit"(call) {
      scope = opened.get(call)?.parent ?? scope
    },
  })
  visitor.visit(parseSync(file, source).program)
  return found.flatMap((test) => {
    const standing = standingWithin(test)
    return standing === "never" ? [] : [{ title: test.title!, isConditional: standing === "conditional" }]
  })
}

function linksOf(callee: Expression): Link[] | null {
  if (callee.type === "Identifier") return [{ name: callee.name, given: null }]
  if (callee.type === "CallExpression") {
    const links = linksOf(callee.callee)
    return links && [...links.slice(0, -1), { name: links.at(-1)!.name, given: callee.arguments }]
  }
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return null
  const links = linksOf(callee.object)
  return links && [...links, { name: callee.property.name, given: null }]
}

/** `test.skip(why)` of Playwright in a test, a group or a file, or `skip(why)` of Vitest in a test. */
function isSkip(links: readonly Link[], { arguments: given }: CallExpression, { title }: Scope): boolean {
  const [{ name }, last] = [links[0]!, links.at(-1)!]
  if (links.length === 1) return name === "skip" && title !== null
  return BASES.has(name) && links.length === 2 && STOPPED.has(last.name) && !isTitle(given[0])
}

/** The title, if the call declares a test or a group. */
function declaredTitle(links: readonly Link[], { arguments: [title] }: CallExpression, source: string): string | null {
  const [{ name }, ...others] = links as [Link, ...Link[]]
  const isDeclaration = others.every(
    (link) => LINKS.has(link.name) || STOPPED.has(link.name) || (CONDITIONS.has(link.name) && link.given),
  )
  if (!BASES.has(name) || !isDeclaration || !isTitle(title)) return null
  return source.slice(title!.start + 1, title!.end - 1)
}

function isTitle(argument: Argument | undefined): boolean {
  return argument?.type === "TemplateLiteral" || (argument?.type === "Literal" && typeof argument.value === "string")
}

function standingOf(links: readonly Link[], given: readonly Argument[]): Standing {
  if (links.some(({ name }) => STOPPED.has(name)) || !given.slice(1).some(isBody)) return "never"
  const conditions = links.filter(({ name }) => CONDITIONS.has(name))
  return [...conditions.map(conditional), ...given.flatMap(optionsOf)].reduce(worse, "always")
}

/** A function with something in it, or the name of one. */
function isBody(argument: Argument): boolean {
  if (argument.type === "ArrowFunctionExpression" || argument.type === "FunctionExpression") {
    return argument.body?.type !== "BlockStatement" || argument.body.body.length > 0
  }
  return argument.type === "Identifier" || argument.type === "CallExpression"
}

function conditional({ name, given }: Link): Standing {
  const [condition] = given!
  if (condition?.type !== "Literal") return "conditional"
  return Boolean(condition.value) === (name === "skipIf") ? "never" : "always"
}

/** The standing by options such as `{ skip: true }`. */
function optionsOf(argument: Argument): Standing[] {
  if (argument.type !== "ObjectExpression") return []
  return argument.properties.flatMap((property): Standing[] => {
    if (property.type !== "Property" || property.key.type !== "Identifier" || !STOPPED.has(property.key.name)) return []
    return [skipped([property.value])]
  })
}

/** The standing after `skip` with these arguments. */
function skipped([condition]: readonly (Argument | Expression)[]): Standing {
  if (!condition) return "never"
  if (condition.type !== "Literal") return "conditional"
  return condition.value === false ? "always" : "never"
}

function standingWithin({ parent, standing }: Scope): Standing {
  return parent ? worse(standingWithin(parent), standing) : standing
}

function worse(one: Standing, other: Standing): Standing {
  const order: readonly Standing[] = ["always", "conditional", "never"]
  return order.indexOf(one) > order.indexOf(other) ? one : other
}
