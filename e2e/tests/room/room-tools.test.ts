import { writeFile } from "node:fs/promises"
import { SAMPLE_ELEMENT } from "@keymoot/tools/sample-element"
import { expect, test } from "../../support/fixtures.ts"
import type { Person } from "../../support/person.ts"
import { download, menu, savedBoard, saveWithoutAsking } from "../../support/saving.ts"
import { meet } from "../../support/scenes.ts"

type Shape = { readonly type: string; readonly text?: string; readonly groupIds: readonly string[] }

const shapesOf = async (person: Person) => (await savedBoard<Shape>(person)).elements

const BASE = { ...SAMPLE_ELEMENT, strokeColor: "#000000", strokeWidth: 1, roughness: 0, link: null }
const box = (id: string, x: number, colour: string) => ({
  ...BASE,
  id,
  type: "rectangle",
  x,
  y: 0,
  width: 400,
  height: 300,
  backgroundColor: colour,
})
const FRAMES_APART = 3000
const [RED, BLUE] = [
  { css: "#ff0000", seen: [255, 0, 0] },
  { css: "#0000ff", seen: [0, 0, 255] },
] as const

test("a template and a library are added, and the other person has them too", async ({ server, people }, info) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  await saveWithoutAsking(bob)
  await meet(server.origin, ada, bob)
  const library = info.outputPath("shapes.excalidrawlib")
  // Both items have the same names in them, as items that were made apart from each other can have.
  const libraryItems = [RED, BLUE].map(({ css }) => ({ status: "published", elements: [box("a", 0, css)] }))
  await writeFile(library, JSON.stringify({ type: "excalidrawlib", version: 2, libraryItems }))

  await menu(ada, "Template: kanban")
  const titles = async (): Promise<readonly (string | undefined)[]> => (await shapesOf(bob)).map(({ text }) => text)
  await expect.poll(titles).toEqual(expect.arrayContaining(["To do", "In progress", "Done"]))
  const before = (await shapesOf(bob)).length

  await ada.page.getByLabel("Add a board or a library from a file").setInputFiles(library)
  await expect(ada.page.getByText("2 items were added and are selected.")).toBeVisible()
  await expect.poll(async () => (await shapesOf(bob)).length).toBe(before + 2)
  const added = (await shapesOf(bob)).slice(before)
  expect(added.map(({ type }) => type)).toEqual(["rectangle", "rectangle"])
  expect(new Set(added.flatMap(({ groupIds }) => groupIds)).size, "each item is a group").toBe(2)
})

test("a host shows two frames as slides, and brings the other person along", async ({ server, people }, info) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  await meet(server.origin, ada, bob)
  const file = info.outputPath("slides.excalidraw")
  const elements = [RED, BLUE].flatMap(({ css }, index) => {
    const x = index * FRAMES_APART
    const place = { x: x - 50, y: -50, width: 500, height: 400 }
    const frame = { ...BASE, ...place, id: `frame${index}`, type: "frame", name: null }
    return [{ ...box(`box${index}`, x, css), frameId: frame.id }, frame]
  })
  await writeFile(file, JSON.stringify({ type: "excalidraw", version: 2, elements, appState: {}, files: {} }))
  await ada.page.getByLabel("Add a board or a library from a file").setInputFiles(file)
  await expect(ada.page.getByText("4 items were added and are selected.")).toBeVisible()

  const middle = async (person: Person) => person.board.colourAt(await person.board.middle())
  await ada.press("Frames as slides")
  const slides = ada.page.getByRole("group", { name: "Frames as slides" })
  await expect(slides.getByRole("status")).toHaveText("2 slides")
  for (const [at, { seen }] of [RED, BLUE].entries()) {
    await ada.press("Next slide")
    await expect(slides.getByRole("status")).toHaveText(`Slide ${at + 1} of 2`)
    await expect.poll(() => middle(ada)).toEqual(seen)
  }
  expect(await middle(bob)).not.toEqual(BLUE.seen)

  await slides.getByRole("button", { name: "Bring everybody here" }).click()
  await expect(bob.page.getByText("Ada brought you here.")).toBeVisible()
  await expect.poll(() => middle(bob)).toEqual(BLUE.seen)
  await ada.press("Previous slide")
  await expect(slides.getByRole("status")).toHaveText("Slide 1 of 2")
  await expect.poll(() => middle(bob), "Bob follows").toEqual(RED.seen)
})

test("searches the chat, and shows the newest result and then the older one", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  await ada.start(server.origin)
  // The second is higher than the screen.
  for (const text of ["green tea", "cake\n".repeat(80), "black tea"]) await ada.say(text)
  const message = (text: string) => ada.page.getByRole("log").locator("article").filter({ hasText: text })
  await expect(message("black tea")).toBeInViewport()
  await expect(message("green tea")).not.toBeInViewport()

  await ada.press("Search the chat")
  const search = ada.page.getByRole("search")
  const query = search.getByRole("searchbox")
  await query.fill("Tea")
  await expect(search.getByRole("status")).toHaveText("1 of 2")
  await ada.press("Older result")
  await expect(search.getByRole("status")).toHaveText("2 of 2")
  await expect(message("green tea")).toBeInViewport()
  await ada.press("Newer result")
  await expect(search.getByRole("status")).toHaveText("1 of 2")
  await expect(message("black tea")).toBeInViewport()
  await query.fill("coffee")
  await expect(search.getByRole("status")).toHaveText("Nothing found")
})

test("copies a text with the whole link, and saves the conference as a calendar file", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  await ada.start(server.origin, { title: "Plan B" })
  const link = await ada.copyLink()
  await ada.press("Copy invitation")
  await expect(ada.page.getByRole("button", { name: "Invitation copied" })).toBeVisible()
  const message = ada.page.getByLabel("Message", { exact: true })
  await message.click()
  await ada.page.keyboard.press("ControlOrMeta+V")
  const text = await message.inputValue()
  expect(text).toContain("You are invited to an encrypted conference: Plan B.")
  expect(text.split("\n")).toContain(link)

  const { name, content } = await download(ada, () => ada.press("Calendar file"))
  expect(name).toMatch(/^keymoot-[\da-f]{8}\.ics$/u)
  // Long lines are folded (RFC 5545, section 3.1).
  const lines = content.toString().replaceAll("\r\n ", "").split("\r\n")
  expect(lines).toEqual(expect.arrayContaining(["BEGIN:VEVENT", "SUMMARY:Plan B", `URL:${link}`]))
})

test("marks two people of the same name, and nobody else", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const other = await people.arrive("ada")
  const bob = await people.arrive("Bob")
  const link = await meet(server.origin, ada, bob)
  await bob.page.getByRole("tab", { name: "People" }).click()
  const marked = bob.page
    .getByRole("tabpanel", { name: "People" })
    .getByRole("listitem")
    .filter({ hasText: "Somebody else here has the same name or one that looks like it. Verify, to know who is who." })
  await expect(marked).toHaveCount(0)
  await other.join(link)
  await expect(marked.locator("bdi")).toHaveText(["Ada", "ada"])
  await other.leave()
  await expect(marked).toHaveCount(0)
})
