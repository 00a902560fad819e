import { AxeBuilder } from "@axe-core/playwright"
import type { Page } from "@playwright/test"

export type Look = {
  /** Selectors of the part that is looked at, and of what in it is not. */
  readonly within?: string
  readonly without?: string
}

/** Those that see colours. All others see the same in light as in dark: there, it is the same page in other colours. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"]

/** Findings of axe on the page in light and in dark. */
export async function violationsLightAndDark(page: Page, look: Look = {}): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" })
  const light = await violations(page, look)
  await page.emulateMedia({ colorScheme: "dark" })
  const dark = await violations(page, look, "in other colours")
  return [...light.map((each) => `light: ${each}`), ...dark.map((each) => `dark: ${each}`)]
}

/**
 * Findings of axe on the page in its current colours: of all rules, or only of the rules that can differ `in other
 * colours`.
 */
export async function violations(
  page: Page,
  { within, without }: Look,
  what: "anything" | "in other colours" = "anything",
): Promise<string[]> {
  // Its own copy of Playwright's types differs in ways that do not matter here.
  const own = page as ConstructorParameters<typeof AxeBuilder>[0]["page"]
  // Without frames of strangers there is nothing for which it would need a blank page of its own each time.
  const builder = new AxeBuilder({ page: own }).setLegacyMode()
  if (within !== undefined) builder.include(within)
  if (without !== undefined) builder.exclude(without)
  if (what === "in other colours") builder.withRules(OF_COLOURS)
  const { violations } = await builder.analyze()
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`))
}
