// @vitest-environment jsdom
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it } from "vitest"
import { startI18n } from "../../src/i18n/index.ts"
import { NameField } from "../../src/ui/NameField.tsx"
import { useNameField } from "../../src/ui/useNameField.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const root = createRoot(document.body.appendChild(document.createElement("div")))
afterEach(() => act(() => root.render(null)))

function Form({ lastName }: { readonly lastName: string }) {
  return <NameField field={useNameField(lastName)} />
}

function show(lastName: string): HTMLInputElement {
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
