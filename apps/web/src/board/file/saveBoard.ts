import { save } from "../../ui/save.ts"

/** @param file as `writeBoardFile` makes it */
export function saveBoard(file: string): void {
  save(new Blob([file], { type: "application/json" }), "keymoot-board.excalidraw")
}
