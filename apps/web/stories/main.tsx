import "../src/styles/base.css"
import "../src/styles/screens.css"
import "../src/styles/conference.css"
import "../src/styles/chat.css"
import i18next, { exists, t } from "i18next"
import { createRoot } from "react-dom/client"
import { listNames } from "../src/conference/names.ts"
import { startSettings } from "../src/settings/settings.ts"
import { PageDirection } from "../src/ui/PageDirection.tsx"
import type { States } from "./scenes.tsx"
import { call } from "./states/call.tsx"
import { outside } from "./states/outside.tsx"
import { people } from "./states/people.tsx"
import { inRoom } from "./states/room.tsx"
import { trouble } from "./states/trouble.tsx"

const STATES: States = { ...outside, ...inRoom, ...people, ...call, ...trouble }

/**
 * A text of the page in its language, for the tests. Several names become a list.
 * @throws Error for an unknown key, which i18next would return as the text
 */
function textOf(key: string, values: Readonly<Record<string, unknown>>): string {
  const listed = Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? listOf(value) : value])
  const options = Object.fromEntries(listed) as Record<string, unknown>
  if (!exists(key, options)) throw new Error(`There is no text ${key}.`)
  return String(t(key as never, options as never))
}

function listOf(names: readonly string[]): string {
  return listNames(
    names.map((name) => ({ name })),
    i18next.language,
  )
}

await startSettings()
Object.assign(window, { textOf })
const state = new URLSearchParams(location.search).get("state") ?? ""
const show = STATES[state]
const root = document.getElementById("app")
if (root === null || show === undefined) document.body.textContent = JSON.stringify(Object.keys(STATES))
else createRoot(root).render(<PageDirection>{show()}</PageDirection>)
