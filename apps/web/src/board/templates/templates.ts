import type { TFunction } from "i18next"

/** A shape as Excalidraw's `convertToExcalidrawElements` reads it, as far as templates need it. */
export type TemplateShape =
  | {
      readonly type: "rectangle" | "ellipse"
      readonly x: number
      readonly y: number
      readonly width: number
      readonly height: number
      readonly backgroundColor: string
      readonly fillStyle: "solid"
      readonly roughness: number
      readonly label?: { readonly text: string; readonly fontSize: number }
    }
  | { readonly type: "text"; readonly x: number; readonly y: number; readonly text: string; readonly fontSize: number }
  | { readonly type: "line"; readonly x: number; readonly y: number; readonly points: [number, number][] }

export const TEMPLATES = ["sticky", "retro", "kanban", "mindMap", "lesson"] as const
export type Template = (typeof TEMPLATES)[number]

const NOTE = 160
const GAP = 40
const COLUMN = { width: 280, height: 480 }
const [YELLOW, GREEN, RED, BLUE, WHITE] = ["#ffec99", "#b2f2bb", "#ffc9c9", "#a5d8ff", "#ffffff"] as const

/** The shapes of a template, with its words in the language of the page. */
export function shapesOf(template: Template, t: TFunction): readonly TemplateShape[] {
  switch (template) {
    case "sticky":
      return [box(0, 0, NOTE, NOTE, YELLOW, t("templates.write"))]
    case "retro":
      return columns([t("templates.good"), t("templates.bad"), t("templates.ideas")], [GREEN, RED, BLUE], t)
    case "kanban":
      return columns([t("templates.toDo"), t("templates.doing"), t("templates.done")], [YELLOW, BLUE, GREEN], t)
    case "lesson":
      return columns(
        [t("templates.goal"), t("templates.material"), t("templates.tasks"), t("templates.questions")],
        [GREEN, BLUE, YELLOW, RED],
        t,
      )
    case "mindMap":
      return mindMap(t)
  }
}

/** A title, a large field and a first note in each. */
function columns(titles: readonly string[], colours: readonly string[], t: TFunction): readonly TemplateShape[] {
  return titles.flatMap((title, index): TemplateShape[] => {
    const x = index * (COLUMN.width + GAP)
    return [
      { type: "text", x, y: -50, text: title, fontSize: 28 },
      box(x, 0, COLUMN.width, COLUMN.height, WHITE),
      box(x + (COLUMN.width - NOTE) / 2, GAP, NOTE, NOTE, colours[index] ?? YELLOW, t("templates.write")),
    ]
  })
}

function mindMap(t: TFunction): readonly TemplateShape[] {
  const [width, height] = [200, 100]
  const places = [
    [-360, -200],
    [360, -200],
    [-360, 200],
    [360, 200],
  ] as const
  return [
    // First, so that they are below the ellipses.
    ...places.map(([x, y]): TemplateShape => ({
      type: "line",
      x: 0,
      y: 0,
      points: [
        [0, 0],
        [x, y],
      ],
    })),
    ellipse(0, 0, width, height, YELLOW, t("templates.topic")),
    ...places.map(([x, y]) => ellipse(x, y, width, height, BLUE, t("templates.idea"))),
  ]
}

function box(x: number, y: number, width: number, height: number, colour: string, text?: string): TemplateShape {
  const label = text === undefined ? {} : { label: { text, fontSize: 20 } }
  return { type: "rectangle", x, y, width, height, backgroundColor: colour, fillStyle: "solid", roughness: 0, ...label }
}

/** By its middle. */
function ellipse(x: number, y: number, width: number, height: number, colour: string, text: string): TemplateShape {
  const corner = { x: x - width / 2, y: y - height / 2 }
  const look = { backgroundColor: colour, fillStyle: "solid", roughness: 0 } as const
  return { type: "ellipse", ...corner, width, height, ...look, label: { text, fontSize: 20 } }
}
