import { createHash, randomBytes } from "node:crypto"
import { createReadStream } from "node:fs"
import { mkdtemp, readFile, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, type Locator } from "@playwright/test"
import type { Person } from "./person.ts"

export type FileOnDisk = { readonly path: string; readonly name: string }

/** In a directory of its own, which `remove` of its parent takes away. */
export async function fileOf(name: string, bytes: number): Promise<FileOnDisk> {
  const path = join(await mkdtemp(join(tmpdir(), "keymoot-file-")), name)
  await writeFile(path, randomBytes(Math.min(bytes, 30_000_000)))
  // Zeros from there on take no room on the disk.
  await truncate(path, bytes)
  return { path, name }
}

export async function sha256(path: string): Promise<string> {
  const hash = createHash("sha256")
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  return hash.digest("hex")
}

/** Chooses a file behind "Share files", and waits until it stands in the chat. */
export async function share(person: Person, { path, name }: FileOnDisk): Promise<void> {
  await expect(person.page.getByRole("button", { name: "Share files" })).toBeVisible()
  await choose(person, path)
  await expect(fileIn(person, name)).toBeVisible({ timeout: 200_000 })
}

/** The field behind "Share files". */
export function choose({ page }: Person, path: string): Promise<void> {
  return page.getByRole("tabpanel", { name: "Chat" }).locator("input[type=file]").setInputFiles(path)
}

/** The file as it stands in somebody's chat; not while it is being prepared there. */
export function fileIn({ page }: Person, name: string): Locator {
  return page.getByRole("log").locator("article:not([data-pending])").filter({ hasText: name })
}

/** Resolves when so much of it has come, and no sooner than it is shown to. */
export async function seesComing(person: Person, name: string, bytes: number): Promise<void> {
  const progress = person.page.getByRole("progressbar", { name: `Downloading ${name}` })
  await progress.waitFor()
  await person.page.waitForFunction(
    ([label, least]) =>
      [...document.querySelectorAll("progress")].some((bar) => bar.ariaLabel === label && bar.value >= least),
    [`Downloading ${name}`, bytes] as const,
  )
}

/** Presses "Save" and resolves with the SHA-256 of what was saved, and its name. */
export async function saveFile(person: Person, name: string): Promise<{ name: string; sha256: string }> {
  const download = person.page.waitForEvent("download", { timeout: 200_000 })
  await person.press(`Save ${name}`)
  const saved = await download
  return { name: saved.suggestedFilename(), sha256: await sha256(await saved.path()) }
}

/** The data transfer of a clipboard or a pointer, made in the page. */
export async function bring(
  person: Person,
  how: "paste" | "drop",
  file: { readonly name: string; readonly type: string; readonly base64: string },
): Promise<void> {
  await bringTo(person.page.getByLabel("Message", { exact: true }), how, file)
}

/** As `bring`, to somewhere else than the chat. */
export async function bringTo(
  target: Locator,
  how: "paste" | "drop",
  file: { readonly name: string; readonly type: string; readonly base64: string },
): Promise<void> {
  await target.evaluate(
    (element, { how, name, type, base64 }) => {
      const data = new DataTransfer()
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
      data.items.add(new File([bytes], name, { type }))
      const options = { bubbles: true, cancelable: true }
      const event =
        how === "paste"
          ? new ClipboardEvent("paste", { ...options, clipboardData: data })
          : new DragEvent("drop", { ...options, dataTransfer: data })
      element.dispatchEvent(event)
    },
    { how, ...file },
  )
}

declare global {
  interface Window {
    saved?: Blob
  }
}

/** Runs before the page's own scripts. A Firefox that is driven by WebDriver BiDi tells of no downloads. */
export function keepSaved(): void {
  const create = URL.createObjectURL.bind(URL)
  URL.createObjectURL = (object: Blob | MediaSource) => {
    if (object instanceof Blob && object.type === "application/octet-stream") window.saved = object
    return create(object)
  }
}

/** Presses "Save" and resolves with the SHA-256 of what the page gives to the browser to be saved. */
export async function handedToBrowser(person: Person, name: string): Promise<string> {
  await person.press(`Save ${name}`)
  await person.page.waitForFunction(() => window.saved !== undefined)
  return person.page.evaluate(async () => {
    const digest = await crypto.subtle.digest("SHA-256", await window.saved!.arrayBuffer())
    return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("")
  })
}

/** Presses a button, and returns the text of the file that it saves. */
export async function saved(person: Person, button: string): Promise<string> {
  return readFile(await savedPath(person, button), "utf8")
}

/** As `saved`. Returns the file's path. */
export async function savedPath(person: Person, button: string): Promise<string> {
  const [file] = await Promise.all([person.page.waitForEvent("download"), person.press(button)])
  return file.path()
}
