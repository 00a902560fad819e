type Theme = "light" | "dark"

/**
 * The members' colours, as different from each other as eight can be. They stand out from every ground of the page.
 * White text (light theme) and the board's black (dark theme) stand out from them.
 */
export const MEMBER_COLOURS: readonly Readonly<Record<Theme, string>>[] = [
  { light: "#1b68ff", dark: "#7eb8fe" },
  { light: "#b85902", dark: "#c78a34" },
  { light: "#0c8700", dark: "#2bac1f" },
  { light: "#ca00a9", dark: "#ffa5e5" },
  { light: "#026a76", dark: "#22a2a4" },
  { light: "#4a0098", dark: "#b172ff" },
  { light: "#4b3c00", dark: "#c9cba4" },
  { light: "#920030", dark: "#fe677e" },
]

/** For CSS, in both themes. */
export function colourOnPage(colour: number): string {
  const { light, dark } = MEMBER_COLOURS[colour]!
  return `light-dark(${light}, ${dark})`
}

/** For the board, so that both show the same colour. */
export function colourOnBoard(colour: number, theme: Theme): string {
  const seen = MEMBER_COLOURS[colour]![theme]
  return theme === "light" ? seen : beforeDarkFilter(seen)
}

/**
 * The colour to paint so that `seen` appears: Excalidraw darkens its canvas with `invert(93%) hue-rotate(180deg)`. That
 * rotation is its own inverse (Filter Effects 1, feColorMatrix hueRotate: 2 × luminance − channel).
 */
function beforeDarkFilter(seen: string): string {
  const channels = [1, 3, 5].map((at) => Number.parseInt(seen.slice(at, at + 2), 16) / 255)
  const [red = 0, green = 0, blue = 0] = channels
  const luminance = 0.213 * red + 0.715 * green + 0.072 * blue
  const painted = channels.map((channel) => (0.93 - (2 * luminance - channel)) / 0.86)
  return `#${painted.map((channel) => toByte(channel).toString(16).padStart(2, "0")).join("")}`
}

function toByte(channel: number): number {
  return Math.round(255 * Math.min(1, Math.max(0, channel)))
}
