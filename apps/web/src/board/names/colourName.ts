/** Colours of the board by their usual names, each with the values that come close to it. */
const NAMED = {
  black: ["000000", "1e1e1e"],
  white: ["ffffff"],
  lightGrey: ["ced4da", "e9ecef"],
  grey: ["868e96"],
  darkGrey: ["343a40"],
  lightRed: ["ffc9c9"],
  red: ["e03131", "ff0000", "ff8787"],
  lightPink: ["fcc2d7"],
  pink: ["c2255c", "f06595", "ff00ff"],
  lightViolet: ["eebefa", "d0bfff"],
  violet: ["9c36b5", "6741d9", "9775fa"],
  lightBlue: ["a5d8ff"],
  blue: ["1971c2", "4dabf7", "0000ff"],
  lightTurquoise: ["99e9f2", "96f2d7"],
  turquoise: ["0c8599", "099268", "00ffff"],
  lightGreen: ["b2f2bb"],
  green: ["2f9e44", "69db7c", "00ff00"],
  lightYellow: ["ffec99"],
  yellow: ["ffd43b", "ffff00"],
  lightOrange: ["ffd8a8"],
  orange: ["f08c00", "e8590c"],
  lightBrown: ["eaddd7"],
  brown: ["846358"],
} as const

export type ColourName = keyof typeof NAMED

/** The name of the nearest of these colours; null for anything but six hexadecimal digits. */
export function colourName(colour: string): ColourName | null {
  const sought = channelsOf(colour)
  if (sought === null) return null
  let nearest: { readonly name: ColourName; readonly distance: number } | null = null
  for (const [name, values] of Object.entries(NAMED) as [ColourName, readonly string[]][])
    for (const value of values) {
      const distance = distanceOf(sought, channelsOf(value)!)
      if (nearest === null || distance < nearest.distance) nearest = { name, distance }
    }
  return nearest?.name ?? null
}

function channelsOf(colour: string): readonly number[] | null {
  const [, digits] = /^#?([\da-f]{6})$/iu.exec(colour) ?? []
  return digits === undefined ? null : [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16))
}

function distanceOf(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, channel, index) => sum + (channel - other[index]!) ** 2, 0)
}
