import type { KeyStructure, KeyTreeNode, Member } from "@keymoot/core"

/** In pixels. Each member has a row, so that names fit beside the picture at any length and number. */
export const ROW = 34
const WIDTH_MAX = 190
const STEP_MAX = 38
const LEVEL_STEP_MIN = 7
const PAD = 12

export type Dot = { readonly x: number; readonly y: number; readonly isNew: boolean; readonly member: Member | null }
export type Line = { readonly path: string; readonly isNew: boolean }
export type Picture = {
  readonly width: number
  readonly height: number
  readonly lines: readonly Line[]
  readonly dots: readonly Dot[]
  /** In the order of the rows. */
  readonly rows: readonly { readonly member: Member; readonly isNew: boolean }[]
}

/** The layout of a picture. All have the members' dots in one column, except the ring, which is round. */
export function pictureOf(structure: KeyStructure): Picture {
  if (structure.kind === "tree") return treePicture(structure.root)
  const { seats } = structure
  if (structure.kind === "ring") return ringPicture(seats)
  if (structure.kind === "chain") return chainPicture(seats)
  return structure.kind === "star" ? starPicture(seats) : quorumPicture(seats)
}

export function heightOf(node: KeyTreeNode): number {
  return node.kind === "leaf" ? 0 : 1 + Math.max(heightOf(node.left), heightOf(node.right))
}

/** The root on the left, a row for each leaf on the right. */
function treePicture(root: KeyTreeNode): Picture {
  const height = Math.max(1, heightOf(root))
  const step = Math.max(LEVEL_STEP_MIN, Math.min(STEP_MAX, (WIDTH_MAX - 2 * PAD) / height))
  const leafX = PAD + step * height
  const lines: Line[] = []
  const dots: Dot[] = []
  const rows: { member: Member; isNew: boolean }[] = []
  const place = (node: KeyTreeNode, depth: number): { x: number; y: number } => {
    if (node.kind === "leaf") {
      const at = { x: leafX, y: rowY(rows.length) }
      rows.push({ member: node.member, isNew: node.isNew })
      dots.push({ ...at, isNew: node.isNew, member: node.member })
      return at
    }
    const children = [node.left, node.right].map((child) => ({ child, at: place(child, depth + 1) }))
    const at = { x: PAD + step * depth, y: (children[0]!.at.y + children[1]!.at.y) / 2 }
    for (const { child, at: end } of children) {
      lines.push({ path: `M${at.x} ${at.y}V${end.y}H${end.x}`, isNew: child.isNew })
    }
    dots.push({ ...at, isNew: node.isNew, member: null })
    return at
  }
  place(root, 0)
  return { width: leafX + PAD, height: rows.length * ROW, lines, dots, rows }
}

type Seats = (KeyStructure & { kind: "ring" })["seats"]

function ringPicture(seats: Seats): Picture {
  const size = Math.min(WIDTH_MAX, Math.max(100, seats.length * ROW))
  const [centre, radius] = [size / 2, size / 2 - PAD]
  const dots = seats.map(({ member, isNew }, i) => {
    const angle = (2 * Math.PI * i) / seats.length - Math.PI / 2
    return { x: centre + radius * Math.cos(angle), y: centre + radius * Math.sin(angle), isNew, member }
  })
  const next = (i: number) => dots[(i + 1) % dots.length]!
  const lines = dots.map(({ x, y, isNew }, i) => ({ path: `M${x} ${y}L${next(i).x} ${next(i).y}`, isNew }))
  return { width: size, height: Math.max(size, seats.length * ROW), lines, dots, rows: seats }
}

function chainPicture(seats: Seats): Picture {
  const x = 2 * PAD
  const dots = seats.map(({ member, isNew }, i) => ({ x, y: rowY(i), isNew, member }))
  const lines = dots.slice(1).map(({ isNew }, i) => ({
    path: `M${x} ${rowY(i)}V${rowY(i + 1) - 9}M${x - 4} ${rowY(i + 1) - 14}l4 5l4 -5`,
    isNew,
  }))
  return { width: 4 * PAD, height: seats.length * ROW, lines, dots, rows: seats }
}

/** The controller in the first row, with a line to each other member. */
function starPicture(seats: Seats): Picture {
  const [hub, x] = [PAD, 6 * PAD]
  const dots = seats.map(({ member, isNew }, i) => ({ x: i === 0 ? hub : x, y: rowY(i), isNew, member }))
  const lines = dots.slice(1).map(({ y, isNew }) => ({ path: `M${hub} ${rowY(0)}L${x} ${y}`, isNew }))
  return { width: x + PAD, height: seats.length * ROW, lines, dots, rows: seats }
}

/** The contributors to the key are joined; the others stand apart. */
function quorumPicture(seats: Seats): Picture {
  const x = 4 * PAD
  const dots = seats.map(({ member, isNew }, i) => ({ x, y: rowY(i), isNew, member }))
  const contributing = dots.filter(({ isNew }) => isNew)
  const middle = contributing.reduce((sum, { y }) => sum + y, 0) / Math.max(1, contributing.length)
  const lines = contributing.map(({ y }) => ({ path: `M${PAD} ${middle}L${x} ${y}`, isNew: true }))
  const key = { x: PAD, y: middle, isNew: true, member: null }
  return {
    width: x + PAD,
    height: seats.length * ROW,
    lines,
    dots: contributing.length > 0 ? [...dots, key] : dots,
    rows: seats,
  }
}

function rowY(row: number): number {
  return row * ROW + ROW / 2
}
