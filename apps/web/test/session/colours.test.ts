import type { Member } from "@keymoot/core"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { MEMBER_COLOURS, colourOnBoard } from "../../src/conference/colours.ts"
import { assignColours, colourOf, type Colours, COLOURS_MAX } from "../../src/session/colours.ts"

const css = readFileSync(join(import.meta.dirname, "../../src/styles/base.css"), "utf8")
const groundsIn = (theme: "light" | "dark") =>
  ["surface", "sunken", "own", "board"].map((name) => {
    const [, light = "", dark = ""] = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\);`).exec(css) ?? []
    return theme === "light" ? light : dark
  })
/** The names on the cursors are white, and what Excalidraw's dark filter makes of white. */
const THEMES = {
  light: { grounds: groundsIn("light"), nameOnCursor: "#ffffff" },
  dark: { grounds: groundsIn("dark"), nameOnCursor: "#121212" },
} as const

describe.each(["light", "dark"] as const)("in the %s theme the colours of members", (theme) => {
  const colours = MEMBER_COLOURS.map((colour) => colour[theme])

  it("stand out from every ground, and names can be read on them", () => {
    for (const colour of colours) {
      for (const ground of THEMES[theme].grounds) expect(contrast(colour, ground), colour).toBeGreaterThan(3)
      expect(contrast(colour, THEMES[theme].nameOnCursor), colour).toBeGreaterThan(4.5)
    }
  })

  it("are at least eight and far from each other", () => {
    expect(colours.length).toBeGreaterThanOrEqual(8)
    // OKLab: 0.02 can just be told apart side by side.
    for (const [i, one] of colours.entries())
      for (const other of colours.slice(0, i)) expect(distance(one, other), `${one} ${other}`).toBeGreaterThan(0.15)
  })

  it("are the same on the board as in the lists", () => {
    for (const [index, colour] of colours.entries()) {
      const painted = channels(colourOnBoard(index, theme))
      const seen = theme === "light" ? painted : darkFilter(painted)
      for (const [i, channel] of channels(colour).entries()) expect(seen[i]).toBeCloseTo(channel, 1.7)
    }
  })
})

describe("who has which colour", () => {
  const people = Array.from({ length: 12 }, (_, n) => `${(n * 7919).toString(16)}abc` as Member["id"])
  const EDITOR = { role: "editor", rank: null, mayRemove: false, maySetRole: false } as const
  const asSeenBy = (self: Member["id"], ids: readonly Member["id"][]) =>
    ids.toSorted().map((id) => ({
      id,
      name: id,
      publicKey: null,
      self: id === self,
      verified: false,
      changedKey: false,
      ...EDITOR,
    }))
  /** The colours on one person's screen after each of these views. */
  function watch(self: Member["id"], views: readonly (readonly Member["id"][])[]): Colours {
    let colours: Colours = new Map()
    let previous: Member[] = []
    for (const ids of views) {
      const members = asSeenBy(self, ids)
      colours = assignColours(colours, previous, { status: "secured", members })
      previous = members
    }
    return colours
  }
  const grown = (count: number) => people.slice(0, count).map((_, n) => people.slice(0, n + 1))

  it("shares no colour while there are enough, then among as few as possible", () => {
    const colours = watch(people[0]!, grown(8))
    expect(new Set(colours.values()).size).toBe(8)
    const twelve = [...watch(people[0]!, grown(12)).values()]
    for (const colour of twelve) expect(twelve.filter((other) => other === colour).length).toBeLessThanOrEqual(2)
  })

  it("stays when others come and go, and former members keep theirs in the chat", () => {
    const self = people[0]!
    const before = watch(self, grown(6))
    const staying = people.slice(0, 6).filter((_, n) => n !== 3)
    const after = watch(self, [...grown(6), staying, [...staying, ...people.slice(6, 12)]])
    for (const id of people.slice(0, 6)) expect(after.get(id)).toBe(before.get(id))
  })

  it("is the same on the screens of members and of a newcomer", () => {
    const alike = (one: Member["id"], other: Member["id"]) => colourOf(new Map(), one) === colourOf(new Map(), other)
    expect(people.some((one) => people.some((other) => one !== other && alike(one, other)))).toBe(true)
    for (const first of people) {
      // With three, the two who are there must not want the same for this to hold.
      const second = people.find((id) => !alike(id, first))!
      for (const last of people.filter((id) => id !== first && id !== second)) {
        const pair = [first, last]
        expect([...watch(last, [pair])].sort()).toEqual([...watch(first, [[first], pair])].sort())
        const three = [first, second, last]
        expect([...watch(last, [three])].sort()).toEqual([...watch(first, [[first], [first, second], three])].sort())
      }
    }
  })

  it("is forgotten for former members beyond a bound", () => {
    let colours: Colours = new Map()
    for (let n = 0; n < 3 * COLOURS_MAX; n++)
      colours = assignColours(colours, [], {
        status: "secured",
        members: asSeenBy(people[0]!, [`m${n}` as Member["id"]]),
      })
    expect(colours.size).toBeLessThanOrEqual(COLOURS_MAX + 2)
  })
})

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
}

/** `invert(93%) hue-rotate(180deg)`, by the matrix of Filter Effects 1. */
function darkFilter(painted: readonly number[]): number[] {
  const [r = 0, g = 0, b = 0] = painted.map((channel) => 0.93 - 0.86 * channel)
  return [-0.574 * r + 1.43 * g + 0.144 * b, 0.426 * r + 0.43 * g + 0.144 * b, 0.426 * r + 1.43 * g - 0.856 * b].map(
    (channel) => Math.min(1, Math.max(0, channel)),
  )
}

function linear(colour: string): [number, number, number] {
  const [r = 0, g = 0, b = 0] = channels(colour).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
  return [r, g, b]
}

/** WCAG 2, contrast ratio. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string) => {
    const [r, g, b] = linear(colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
  }
  const [dark = 1, light = 1] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return light / dark
}

function distance(one: string, other: string): number {
  const lab = (colour: string) => {
    const [r, g, b] = linear(colour)
    const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    return [
      0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
    ]
  }
  const [a, b] = [lab(one), lab(other)]
  return Math.hypot(...a.map((value, index) => value - (b[index] ?? 0)))
}
