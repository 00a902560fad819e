type Frame = {
  readonly id: string
  readonly type: string
  readonly x: number
  readonly y: number
  readonly height: number
  readonly isDeleted: boolean
}

/** Frames in reading order: those of one row from left to right, and the rows downwards. */
export function slidesOf<F extends Frame>(elements: readonly F[]): readonly F[] {
  const frames = elements.filter(({ type, isDeleted }) => type === "frame" && !isDeleted)
  const rows: F[][] = []
  for (const frame of frames.toSorted((one, other) => one.y - other.y || (one.id < other.id ? -1 : 1))) {
    const row = rows.at(-1)
    const top = row?.[0]
    // Beside the first of the row: its middle is not below that one's end.
    if (row !== undefined && top !== undefined && frame.y + frame.height / 2 < top.y + top.height) row.push(frame)
    else rows.push([frame])
  }
  return rows.flatMap((row) => row.toSorted((one, other) => one.x - other.x || (one.id < other.id ? -1 : 1)))
}

/** The slide after this one, or before it; the first if none is shown. Stops at both ends. */
export function slideFrom<F extends Frame>(slides: readonly F[], current: string | null, step: 1 | -1): F | null {
  const at = slides.findIndex(({ id }) => id === current)
  if (at < 0) return slides[step === 1 ? 0 : slides.length - 1] ?? null
  return slides[Math.min(Math.max(at + step, 0), slides.length - 1)] ?? null
}
