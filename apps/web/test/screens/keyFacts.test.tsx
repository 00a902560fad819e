import type { PostQuantum } from "@keymoot/core"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import * as de from "../../src/i18n/de/index.ts"
import * as en from "../../src/i18n/en/index.ts"
import * as es from "../../src/i18n/es/index.ts"
import * as fr from "../../src/i18n/fr/index.ts"
import { startI18n } from "../../src/i18n/index.ts"
import * as ja from "../../src/i18n/ja/index.ts"
import { KeyFacts } from "../../src/security/KeyFacts.tsx"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

function factsOf(postQuantum: PostQuantum): string {
  const handle = { keyAgreement: "tgdh", authenticity: "signature", postQuantum }
  const view = store({ id: "", epoch: 3, status: "secured", securedAtMs: null })
  return renderToStaticMarkup(<KeyFacts session={{ handle, view } as unknown as Session} />)
}

const LANGUAGES: Readonly<Record<string, object>> = { en, de, fr, es, ja }

it.each(Object.entries(LANGUAGES))("says in %s who reads what is recorded now", async (language, texts) => {
  await startI18n([language])
  const { postQuantum: term, postQuantumModes } = (texts as typeof en).security
  for (const mode of ["off", "hybrid"] as const)
    expect(factsOf(mode)).toContain(`<dt>${term}</dt><dd>${postQuantumModes[mode]}</dd>`)
  expect(postQuantumModes.hybrid).toContain("ML-KEM-768")
  expect(postQuantumModes.off).not.toContain("ML-KEM-768")
})
