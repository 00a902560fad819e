import { type ConferenceHandle, KeymootError } from "@keymoot/core"

export type LeftOut = "pictures" | "board"

/**
 * An archive with as much of the board as fits. It states itself what was left out.
 * @param board a file, as `writeBoardFile` makes it; null if there is none
 */
export async function boundedEvidence(
  handle: Pick<ConferenceHandle, "evidence">,
  board: string | null,
): Promise<{ archive: Uint8Array; leftOut: LeftOut | null }> {
  if (board === null) return { archive: await handle.evidence(), leftOut: null }
  const attempts: readonly [LeftOut | null, () => string | null][] = [
    [null, () => board],
    ["pictures", () => withoutPictures(board)],
  ]
  for (const [leftOut, text] of attempts) {
    try {
      return { archive: await handle.evidence(documentsOf(leftOut, text())), leftOut }
    } catch (error) {
      if (!(error instanceof KeymootError && error.code === "too-large")) throw error
    }
  }
  return { archive: await handle.evidence(documentsOf("board", null)), leftOut: "board" }
}

function documentsOf(leftOut: LeftOut | null, board: string | null) {
  return [
    ...(board === null ? [] : [{ name: "board", text: board }]),
    ...(leftOut === null ? [] : [{ name: "omitted", text: leftOut }]),
  ]
}

function withoutPictures(board: string): string {
  return JSON.stringify({ ...(JSON.parse(board) as object), files: {} }, null, 1)
}
