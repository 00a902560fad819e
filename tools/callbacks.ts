/**
 * Counts the callbacks in configuration types, and refuses more of them than there are. A layer that calls functions of
 * its creator is hard to follow. It should return outputs, and get objects with a name, such as `Clock`.
 *
 * A configuration type is what a class or function gets to work with. Its name ends in one of `ENDINGS`, or it is an
 * object that layers share (`SHARED`). A callback is a member that is a function, a method included, or that has a
 * function type with a name of its own.
 */
import { parseSync, type TSSignature, type TSType, Visitor } from "oxc-parser"
import { sourcesIn, type Source } from "./folders.ts"

/** Both only fall. docs/decisions/0047-one-driver-for-a-conference.md names the target. */
export const CALLBACKS = 13
export const CONFIGURATION_TYPES = 8

const ENDINGS = /(?:Config|Options|Context|Parts|Sink|Listener|Callbacks|Base|Policy)$/u
const SHARED: ReadonlySet<string> = new Set(["Clock", "Faults", "HostPort", "Randomness"])
/** The public interface, which embedders implement or fill in. */
const PUBLIC: ReadonlySet<string> = new Set([
  "ConnectionListener",
  "HostOptions",
  "OpenIdentityOptions",
  "OpenInNodeOptions",
])
const LEFT_OUT = /\/src\/(?:api|testing|store|conformance)\//u
const PACKAGES = ["packages/gke/src", "packages/transport/src", "packages/core/src"]

export type Found = { readonly path: string; readonly type: string; readonly callbacks: readonly string[] }

/** Configuration types with callbacks. */
export function callbacksIn(sources: readonly Source[]): Found[] {
  const read = sources.map((source) => ({ source, types: typesOf(source) }))
  const functions = new Set(
    read.flatMap(({ types }) => types.filter(({ type }) => isFunction(type)).map(({ name }) => name)),
  )
  const found: Found[] = []
  for (const { source, types } of read) {
    if (LEFT_OUT.test(source.path)) continue
    for (const { name, members } of types) {
      if (PUBLIC.has(name) || (!ENDINGS.test(name) && !SHARED.has(name))) continue
      const callbacks = members.filter((each) => isCallback(each, functions)).map(nameOf)
      if (callbacks.length > 0) found.push({ path: source.path, type: name, callbacks })
    }
  }
  return found
}

type Declared = { readonly name: string; readonly type: TSType | null; readonly members: readonly TSSignature[] }

function typesOf({ path, text }: Source): Declared[] {
  const found: Declared[] = []
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`)
  new Visitor({
    TSInterfaceDeclaration: ({ id, body }) => void found.push({ name: id.name, type: null, members: body.body }),
    TSTypeAliasDeclaration: ({ id, typeAnnotation: type }) =>
      void found.push({ name: id.name, type, members: membersOf(type) }),
  }).visit(program)
  return found
}

function membersOf(type: TSType): readonly TSSignature[] {
  if (type.type === "TSTypeLiteral") return type.members
  if (type.type === "TSIntersectionType" || type.type === "TSUnionType") return type.types.flatMap(membersOf)
  if (type.type === "TSTypeReference") return type.typeArguments?.params.flatMap(membersOf) ?? []
  return type.type === "TSParenthesizedType" ? membersOf(type.typeAnnotation) : []
}

function isCallback(member: TSSignature, functions: ReadonlySet<string>): boolean {
  if (member.type === "TSMethodSignature") return true
  return member.type === "TSPropertySignature" && isFunction(member.typeAnnotation?.typeAnnotation ?? null, functions)
}

function isFunction(type: TSType | null, functions: ReadonlySet<string> = new Set()): boolean {
  if (type?.type === "TSParenthesizedType") return isFunction(type.typeAnnotation, functions)
  if (type?.type === "TSUnionType") return type.types.some((each) => isFunction(each, functions))
  if (type?.type === "TSTypeReference" && type.typeName.type === "Identifier") return functions.has(type.typeName.name)
  return type?.type === "TSFunctionType"
}

function nameOf(member: TSSignature): string {
  const key = "key" in member ? member.key : null
  return key?.type === "Identifier" ? key.name : "?"
}

/** @returns one line for each number that has changed. */
export function callbackComplaints(found: readonly Found[], callbacksMax: number, typesMax: number): string[] {
  const callbacks = found.reduce((sum, each) => sum + each.callbacks.length, 0)
  const numbers = [
    ["callbacks in configuration types", callbacks, callbacksMax],
    ["configuration types with callbacks", found.length, typesMax],
  ] as const
  return numbers.flatMap(([what, count, max]) => {
    if (count > max) return [`${count} ${what}; at most ${max}. Return outputs, or pass an object with a name.`]
    return count < max ? [`${count} ${what} are left: lower the bound of ${max} in tools/callbacks.ts`] : []
  })
}

if (import.meta.main) {
  const found = callbacksIn(PACKAGES.flatMap(sourcesIn))
  const complaints = callbackComplaints(found, CALLBACKS, CONFIGURATION_TYPES)
  if (complaints.length > 0 || process.argv.includes("--list")) {
    for (const { path, type, callbacks } of found) console.error(`${path} ${type}: ${callbacks.join(", ")}`)
  }
  for (const complaint of complaints) {
    console.error(complaint)
    process.exitCode = 1
  }
}
