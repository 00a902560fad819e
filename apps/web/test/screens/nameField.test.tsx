// @vitest-environment jsdom
import { act, type FormEvent } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it } from "vitest"
import { startI18n } from "../../src/i18n/index.ts"
import { NameField } from "../../src/ui/NameField.tsx"
import { useNameField } from "../../src/ui/useNameField.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const root = createRoot(document.body.appendChild(document.createElement("div")))
afterEach(() => act(() => root.render(null)))

/** The names with which the form was accepted. */
const taken: string[] = []
afterEach(() => void taken.splice(0))

function Form({ lastName }: { readonly lastName: string | null }) {
  const field = useNameField(lastName)
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const name = field.take(event.currentTarget)
    if (name !== null) taken.push(name)
  }
  return (
    <form onSubmit={submit}>
      <NameField field={field} />
      <button type="submit">Start</button>
    </form>
  )
}

/** @param lastName null while it is being loaded */
function show(lastName: string | null): HTMLInputElement {
  act(() => root.render(<Form lastName={lastName} />))
  return document.querySelector("input")!
}

const selected = ({ value, selectionStart, selectionEnd }: HTMLInputElement): string =>
  value.slice(selectionStart ?? 0, selectionEnd ?? 0)

/** As a person does, whose typing React does not take for an assignment. */
function type(input: HTMLInputElement, text: string, event: "input" | "change"): void {
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!
  act(() => {
    setValue.call(input, text)
    input.dispatchEvent(new Event(event, { bubbles: true }))
  })
}

it("selects a name that comes late, so that the first key replaces it", () => {
  show("")
  expect(selected(show("Ada"))).toBe("Ada")
})

it("leaves a name alone that the person types", () => {
  const input = show("")
  type(input, "Bo", "input")
  expect(show("Ada").value).toBe("Bo")
  expect(selected(input)).toBe("")
})

it("keeps a name that a script of the page assigns", () => {
  const input = show("")
  act(() => {
    input.value = "Bo"
    input.dispatchEvent(new Event("input", { bubbles: true }))
  })
  expect(show("Ada").value).toBe("Bo")
})

it("takes a change without an input event", () => {
  const input = show("")
  type(input, "Bo", "change")
  expect(show("Ada").value).toBe("Bo")
})

const press = (): void => act(() => document.querySelector("button")!.click())
const error = (): string | undefined => document.querySelector("[role=alert]")?.textContent
const MISSING = "Enter a name, so that the others know who you are."

it("submits the form when the name comes after the button was pressed", () => {
  show(null)
  press()
  expect(error()).toBe(MISSING)
  show("Ada")
  expect([taken, error()]).toEqual([["Ada"], undefined])
  show("Eve")
  expect(taken).toEqual(["Ada"])
})

it("still asks for a name when this browser knows none", () => {
  show(null)
  press()
  show("")
  expect([taken, error()]).toEqual([[], MISSING])
})

it.each([
  ["types another name", (input: HTMLInputElement) => type(input, "Bo", "input")],
  ["goes elsewhere", (input: HTMLInputElement) => input.blur()],
])("waits for the button again when the person %s before the name comes", (_, act) => {
  const input = show(null)
  press()
  act(input)
  show("Ada")
  expect(taken).toEqual([])
})

it("waits for the button again when another identity is chosen after the error", () => {
  show("")
  press()
  show("Ada")
  expect(taken).toEqual([])
})
