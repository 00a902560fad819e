import { readElementId, readNumber, readOneOf, readString } from "./fields.ts"
import { TEXT_LENGTH_MAX } from "./limits.ts"

/** Excalidraw's FONT_FAMILY; 4 was never given out. */
const FONT_FAMILIES = [1, 2, 3, 5, 6, 7, 8, 9]

export function readText(value: Record<string, unknown>): object | null {
  const fields = {
    fontSize: readNumber(value["fontSize"], 0.1, 10_000),
    fontFamily: FONT_FAMILIES.find((family) => family === value["fontFamily"]) ?? null,
    text: readString(value["text"], TEXT_LENGTH_MAX),
    originalText: readString(value["originalText"], TEXT_LENGTH_MAX),
    textAlign: readOneOf(value["textAlign"], ["left", "center", "right"]),
    verticalAlign: readOneOf(value["verticalAlign"], ["top", "middle", "bottom"]),
    autoResize: typeof value["autoResize"] === "boolean" ? value["autoResize"] : null,
    lineHeight: readNumber(value["lineHeight"], 0.5, 5),
  }
  if (Object.values(fields).includes(null)) return null
  const containerId = value["containerId"] === null ? null : readElementId(value["containerId"])
  if ((containerId === null && value["containerId"] !== null) || containerId === value["id"]) return null
  return { ...fields, containerId }
}
