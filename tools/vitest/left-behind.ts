/** Checks after each test file of a shared worker that it leaves globals, environment and listeners as they were. */
import { afterAll, expect } from "vitest"

/** Libraries and Node add these when they are first used. They hold nothing of a test. */
const ADDED_ONCE = /^(?:global (?:__ \$YJS\$ __|__[a-zA-Z]+|__vitest_\w+__|Symbol\(.+\))|listeners of exit)$/u

type Traces = Readonly<Record<string, unknown>>

/** Reading a lazy global such as `localStorage` would define it, so descriptors are compared. */
function tracesHere(): Traces {
  const globals = Reflect.ownKeys(globalThis).map((key) => {
    const { value, get } = Object.getOwnPropertyDescriptor(globalThis, key)!
    return [`global ${String(key)}`, get ?? value] as const
  })
  const settings = Object.entries(process.env).map(([name, value]) => [`process.env.${name}`, value] as const)
  const listeners = process
    .eventNames()
    .map((name) => [`listeners of ${String(name)}`, process.listenerCount(name)] as const)
  return Object.fromEntries([...globals, ...settings, ...listeners])
}

const before = tracesHere()
afterAll(() => {
  const after = tracesHere()
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => !Object.is(after[name], before[name]) && !ADDED_ONCE.test(name))
  expect(changed, "what this file leaves to the next one in its worker").toEqual([])
})
