import { readNumber } from "./fields.ts"

/**
 * The name format of shared files in `@keymoot/core`. A picture that is not shared has another name, and stays on its
 * own screen.
 */
const FILE_ID = /^[\da-f]{32}$/
const SIDE_MAX = 100_000

export function isSharedPicture(fileId: unknown): fileId is string {
  return typeof fileId === "string" && FILE_ID.test(fileId)
}

/** The fields of a picture's element. Its content is a separate file: see `pictures.ts`. */
export function readPicture({ fileId, scale, crop }: Record<string, unknown>): object | null {
  const flips = readFlips(scale)
  const part = crop === null || crop === undefined ? null : readCrop(crop)
  if (!isSharedPicture(fileId) || flips === null || part === undefined) return null
  return { fileId, status: "saved", scale: flips, crop: part }
}

function readFlips(value: unknown): [number, number] | null {
  if (!Array.isArray(value) || value.length !== 2) return null
  return value.every((each) => each === 1 || each === -1) ? [value[0] as number, value[1] as number] : null
}

function readCrop(value: unknown): object | undefined {
  if (typeof value !== "object" || value === null) return undefined
  const { x, y, width, height, naturalWidth, naturalHeight } = value as Record<string, unknown>
  const part = {
    x: readNumber(x, 0, SIDE_MAX),
    y: readNumber(y, 0, SIDE_MAX),
    width: readNumber(width, 1e-6, SIDE_MAX),
    height: readNumber(height, 1e-6, SIDE_MAX),
    naturalWidth: readNumber(naturalWidth, 1, SIDE_MAX),
    naturalHeight: readNumber(naturalHeight, 1, SIDE_MAX),
  }
  return Object.values(part).includes(null) ? undefined : part
}
