import { t } from "i18next"
import { beforeAll, expect, test } from "vitest"
import { shapesOf, TEMPLATES, type TemplateShape } from "../../src/board/templates/templates.ts"
import { speak, startI18n } from "../../src/i18n/index.ts"

beforeAll(() => void startI18n(["en-GB"]))

const textsOf = (shapes: readonly TemplateShape[]): readonly string[] =>
  shapes.flatMap((shape) =>
    shape.type === "text" ? [shape.text] : "label" in shape && shape.label ? [shape.label.text] : [],
  )

test.each(TEMPLATES)("the template %s is written in the language of the page", async (template) => {
  const english = textsOf(shapesOf(template, t))
  await speak(["de"])
  const german = textsOf(shapesOf(template, t))
  await speak(["en"])
  expect(english.length).toBeGreaterThan(0)
  expect(german).toHaveLength(english.length)
  expect(german).not.toEqual(english)
  expect([...english, ...german].filter((text) => text.includes("templates."))).toEqual([])
})

test.each(TEMPLATES)("the boxes of the template %s that have a text cover no other such box", (template) => {
  const boxes = shapesOf(template, t).flatMap((shape) => ("label" in shape && shape.label ? [shape] : []))
  const covers = (one: (typeof boxes)[number], other: (typeof boxes)[number]): boolean =>
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  expect(boxes.filter((one) => boxes.some((other) => other !== one && covers(one, other)))).toEqual([])
})
