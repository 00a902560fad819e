/** A rule about callbacks that cannot fail is none: each of these is one that `npm run lint` must count. */
import { expect, test } from "vitest"
import { callbackComplaints, callbacksIn } from "../callbacks.ts"

const inFile = (text: string, path = "packages/core/src/a/a.ts") => callbacksIn([{ path, text }])

test.each([
  ["a function", "type LinkConfig = { readonly emit: () => void; readonly size: number }"],
  ["an optional function", "type LinkConfig = { readonly emit?: (() => void) | undefined }"],
  ["a nullable function", "type LinkConfig = { readonly emit: (() => void) | null }"],
  ["a method", "interface LinkConfig { emit(): void }"],
  ["a function type with a name", "type Emit = () => void\ntype LinkConfig = { readonly emit: Emit }"],
  ["a member of an intersection", "type LinkConfig = Other & { readonly emit: () => void }"],
  ["a member of a readonly type", "type LinkConfig = Readonly<{ emit: () => void }>"],
  ["an object that layers share", "interface Clock { emit(): number }"],
])("counts %s", (_, text) => {
  expect(inFile(text).map(({ callbacks }) => callbacks)).toEqual([["emit"]])
})

test.each([
  ["values", "type LinkConfig = { readonly size: number; readonly clock: Clock }"],
  ["a class with methods", "class LinkConfig { emit(): void {} }"],
  ["a type of another kind", "type Link = { readonly emit: () => void }"],
])("counts no callback in %s", (_, text) => {
  expect(inFile(text)).toEqual([])
})

test("leaves out the public interface, which embedders implement", () => {
  const text = "export type EnterOptions = { readonly onProgress: () => void }"
  expect(inFile(text, "packages/core/src/api/options.ts")).toEqual([])
})

test("complains when a callback is added, and when a bound was not lowered", () => {
  const found = inFile("type LinkConfig = { readonly emit: () => void }")
  expect(callbackComplaints(found, 1, 1)).toEqual([])
  expect(callbackComplaints(found, 0, 1)).toHaveLength(1)
  expect(callbackComplaints(found, 2, 2)).toHaveLength(2)
})
