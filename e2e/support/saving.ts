/** The board's menu, and files that a page saves. */
import { readFile } from "node:fs/promises"
import type { Person } from "./person.ts"

/** Chooses from the board's menu. */
export async function menu(person: Person, item: string): Promise<void> {
  await person.press("Whiteboard menu")
  await person.page.getByText(item, { exact: true }).click()
}

export async function download(
  person: Person,
  press: () => Promise<void>,
): Promise<{ name: string; path: string; content: Buffer }> {
  const [file] = await Promise.all([person.page.waitForEvent("download"), press()])
  const path = await file.path()
  return { name: file.suggestedFilename(), path, content: await readFile(path) }
}

/** A test cannot press a button in the system's own dialog for files. */
export async function saveWithoutAsking({ page }: Person): Promise<void> {
  await page.addInitScript(() => {
    for (const dialog of ["showOpenFilePicker", "showSaveFilePicker"]) Reflect.deleteProperty(globalThis, dialog)
  })
}

/** The elements of somebody's board, by the file that the page saves. */
export async function savedBoard<Element>(
  person: Person,
): Promise<{ readonly path: string; readonly elements: readonly Element[] }> {
  const { path, content } = await download(person, () => menu(person, "Save the board as a file"))
  return { path, elements: (JSON.parse(content.toString()) as { elements: Element[] }).elements }
}
