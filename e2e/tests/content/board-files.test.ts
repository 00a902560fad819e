import { writeFile } from "node:fs/promises"
import { bringTo } from "../../support/files.ts"
import { expect, test } from "../../support/fixtures.ts"
import type { Person } from "../../support/person.ts"
import { download, menu, savedBoard, saveWithoutAsking } from "../../support/saving.ts"
import { meet, seesDrawing } from "../../support/scenes.ts"

const START = { x: 300, y: 300 }
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="120"><rect width="120" height="120" fill="red"/></svg>'

/** Its type is one that no page accepts from others, so the sender has to convert it. */
const PICTURE = { name: "secret name.svg", type: "image/svg+xml", base64: btoa(SVG) }

async function seesPicture(person: Person): Promise<void> {
  await expect
    .poll(async () => person.board.colourAt(await person.board.middle()), {
      message: `${person.name} sees the picture`,
    })
    .toEqual([255, 0, 0])
}

/** Opens what was saved, as a picture, and looks at its middle: red, green and blue. */
function middleOf({ page }: Person, saved: Buffer, type: string): Promise<number[]> {
  return page.evaluate(
    async ({ base64, type }) => {
      const image = new Image()
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
      image.src = URL.createObjectURL(new Blob([bytes], { type }))
      await image.decode()
      const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight)
      const context = canvas.getContext("2d")
      context?.drawImage(image, 0, 0)
      const pixel = context?.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data
      return [...(pixel ?? [])].slice(0, 3)
    },
    { base64: saved.toString("base64"), type },
  )
}

test("a board is saved as PNG, SVG, PDF or JSON, added or refused; views follow", async ({
  server,
  people,
}, testInfo) => {
  const ada = await people.arrive("Ada")
  await saveWithoutAsking(ada)
  await ada.start(server.origin)
  await ada.board.draw(START)
  await seesDrawing(ada, START)

  await menu(ada, "Export image...")
  const png = await download(ada, () => ada.page.getByRole("button", { name: "Export to PNG" }).click())
  expect(png.content.subarray(1, 4).toString()).toBe("PNG")
  const svg = await download(ada, () => ada.page.getByRole("button", { name: "Export to SVG" }).click())
  expect(svg.content.toString()).toContain("<svg")
  await ada.page.keyboard.press("Escape")
  const json = await download(ada, () => menu(ada, "Save the board as a file"))
  expect(JSON.parse(json.content.toString())).toMatchObject({ type: "excalidraw", elements: [{ type: "freedraw" }] })

  const pdf = await download(ada, () => menu(ada, "Save as PDF"))
  expect(pdf.content.subarray(0, 5).toString()).toBe("%PDF-")
  expect(pdf.content.length).toBeGreaterThan(2000)
  await expect(ada.page.getByText("Saved: 1 page.")).toBeVisible()

  const [eve, bob] = [await people.arrive("Eve"), await people.arrive("Bob")]
  await meet(server.origin, eve, bob)
  const file = eve.page.getByLabel("Add a board or a library from a file")
  await file.setInputFiles(json.path)
  await expect(eve.page.getByText("1 item was added and is selected.")).toBeVisible()
  await eve.press("Hide this note")
  const nothing = testInfo.outputPath("nothing.json")
  await writeFile(nothing, "{}")
  await file.setInputFiles(nothing)
  await expect(eve.page.getByText("This is not a whiteboard file.")).toBeVisible()

  // It was laid in the middle of Eve's screen; Bob sees it where Eve does once he follows her.
  await bob.page.getByRole("tab", { name: "People" }).click()
  await bob.act("Eve", "Follow")
  await expect(bob.page.getByText("You see the same part of the board as Eve.")).toBeVisible()
  const saved = await download(bob, () => menu(bob, "Save the board as a file"))
  expect(JSON.parse(saved.content.toString())).toMatchObject({ elements: [{ type: "freedraw" }] })
  // A hand on the board ends it.
  await bob.page.mouse.wheel(0, 0)
  await bob.board.point({ x: 400, y: 400 })
  await bob.page.mouse.wheel(0, 10)
  await expect(bob.page.getByText("You see the same part of the board as Eve.")).toBeHidden()
})

test("a picture reaches all and newcomers, is undone by its author, and is exported", async ({ server, people }) => {
  test.slow() // Three browsers one after the other, and four files.
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob", "firefox")
  const link = await meet(server.origin, ada, bob)
  const board = ada.page.locator(".excalidraw").first()
  await expect(board).toBeVisible()

  await bringTo(board, "paste", { name: "no.png", type: "image/png", base64: btoa("<svg") })
  await expect(ada.page.getByText("This file can’t be shown on the board")).toBeVisible()
  await bringTo(board, "paste", PICTURE)
  for (const person of [ada, bob]) await seesPicture(person)
  await ada.press("Undo")
  const gone = async () => bob.board.colourAt(await bob.board.middle())
  await expect.poll(gone).not.toEqual([255, 0, 0])
  await ada.press("Redo")
  await seesPicture(bob)

  const eve = await people.arrive("Eve")
  await saveWithoutAsking(eve)
  await eve.join(link)
  await eve.seesEncryptedFor(3)
  await ada.leave()
  await seesPicture(eve)
  await menu(eve, "Export image...")
  for (const [button, type] of [
    ["Export to PNG", "image/png"],
    ["Export to SVG", "image/svg+xml"],
  ] as const) {
    const exported = await download(eve, () => eve.page.getByRole("button", { name: button }).click())
    expect(await middleOf(eve, exported.content, type), button).toEqual([255, 0, 0])
  }
  await eve.page.keyboard.press("Escape")
  const saved = await download(eve, () => menu(eve, "Save the board as a file"))
  const { elements, files } = JSON.parse(saved.content.toString()) as {
    elements: { fileId: string }[]
    files: Record<string, { dataURL: string }>
  }
  expect(files[elements[0]?.fileId ?? ""]?.dataURL).toMatch(/^data:image\/png;base64,/u)
  expect(saved.content.toString()).not.toContain("secret name")

  await eve.leave()
  await eve.start(server.origin)
  await eve.page.getByLabel("Add a board or a library from a file").setInputFiles(saved.path)
  await expect(eve.page.getByText("1 item was added and is selected.")).toBeVisible()
  await seesPicture(eve)
})

test("a picture reaches others when the keyboard pastes it on the board", async ({ server, people }) => {
  const [ada, bob] = [await people.arrive("Ada"), await people.arrive("Bob")]
  await meet(server.origin, ada, bob)
  await ada.page.context().grantPermissions(["clipboard-read", "clipboard-write"])
  await ada.page.evaluate(async () => {
    const canvas = new OffscreenCanvas(120, 120)
    const context = canvas.getContext("2d")!
    context.fillStyle = "red"
    context.fillRect(0, 0, 120, 120)
    const png = await canvas.convertToBlob({ type: "image/png" })
    await navigator.clipboard.write([new ClipboardItem({ "image/png": png })])
  })
  await ada.board.point(START)
  await ada.page.mouse.down()
  await ada.page.mouse.up()
  await ada.page.keyboard.press("ControlOrMeta+V")
  const seesRed = async (place: { x: number; y: number }): Promise<void> => {
    for (const person of [ada, bob])
      await expect.poll(() => person.board.colourAt(place), `${person.name} sees it`).toEqual([255, 0, 0])
  }
  await seesRed(START)
  // Firefox pastes at the body when nothing is selected, and its clipboard takes no picture without a screen.
  const next = { x: 500, y: 300 }
  await ada.board.point(next)
  await bringTo(ada.page.locator("body"), "paste", PICTURE)
  await seesRed(next)
})

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

async function boxesOf(person: Person): Promise<{ readonly path: string; readonly boxes: readonly Box[] }> {
  const { path, elements } = await savedBoard<Box>(person)
  return { path, boxes: elements }
}

function overlaps(boxes: readonly Box[]): number {
  return boxes.flatMap((one, index) =>
    boxes
      .slice(index + 1)
      .filter((other) => one.x < other.x + other.width && other.x < one.x + one.width)
      .filter((other) => one.y < other.y + other.height && other.y < one.y + one.height),
  ).length
}

test("adds pictures and boards where they cover nothing, and removes a board again", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  await saveWithoutAsking(ada)
  await ada.start(server.origin)
  const board = ada.page.locator(".excalidraw").first()
  await expect(board).toBeVisible()
  const pointer = { x: 250, y: 400 }
  for (const count of [1, 2, 3]) {
    await ada.board.point(pointer)
    await bringTo(board, "paste", PICTURE)
    await expect.poll(() => ada.board.colourAt(pointer), "at the pointer").toEqual([255, 0, 0])
    await expect.poll(async () => (await boxesOf(ada)).boxes.length).toBe(count)
  }
  const pictures = await boxesOf(ada)
  expect(overlaps(pictures.boxes)).toBe(0)

  const file = ada.page.getByLabel("Add a board or a library from a file")
  await file.setInputFiles(pictures.path)
  await expect(ada.page.getByText("3 items were added and are selected.")).toBeVisible()
  const both = await boxesOf(ada)
  expect(both.boxes).toHaveLength(6)
  expect(overlaps(both.boxes)).toBe(0)
  await ada.press("Remove again")
  expect((await boxesOf(ada)).boxes).toEqual(pictures.boxes)

  await file.setInputFiles(pictures.path)
  await expect(ada.page.getByText("3 items were added and are selected.")).toBeVisible()
  await ada.press("Undo")
  expect((await boxesOf(ada)).boxes).toEqual(pictures.boxes)
})
