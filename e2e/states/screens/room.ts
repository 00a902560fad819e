import { expect } from "../fixtures.ts"
import { ANY, type At, press, type Screens } from "../screen.ts"

/** The room without faults: its beginning, its tools, its board and its end. */
export const inRoom: Screens = {
  alone: { sees: "invite.alone", panel: true, wide: true },
  "alone on a phone": { story: "alone", sees: "invite.alone" },
  connecting: { sees: "banner.joiningHint" },
  agreeing: { sees: "lock.agreeing" },
  secured: { sees: { words: "The north side first" }, panel: true, wide: true },
  "board of a room": { story: "secured", sees: { css: ".excalidraw" } },
  "leaving alone": { story: "alone in writing", sees: "leave.last", reach: leave },
  tools: { sees: { words: "Do we need a break?" }, panel: true, wide: true },
  "no votes yet": { sees: "polls.none", panel: true, wide: true },
  "poll being made": {
    story: "no votes yet",
    sees: "polls.severalHint",
    reach: (at) => press(at, "button", "polls.newPoll"),
  },
  "poll with mistakes": {
    story: "no votes yet",
    sees: "polls.questionNeeded",
    reach: async (at) => {
      await press(at, "button", "polls.newVote")
      await press(at, "button", "polls.start")
    },
  },
  "vote asked for": { sees: ["polls.asks", { name: "Eve", question: "Do we need a break?" }] },
  "timer ended": { sees: { css: ".timer-pill[data-over=true]" } },
  "slides without frames": { sees: "showing.noSlides" },
  slides: { sees: ["showing.count", { count: 3 }] },
  "second slide": {
    panel: false,
    story: "slides",
    sees: ["showing.slide", { at: 2, all: 3 }],
    reach: async (at) => {
      await press(at, "button", "showing.next")
      await press(at, "button", "showing.next")
    },
  },
  "brought here": { sees: ["showing.brought", { name: "Bob" }] },
  "board menu": {
    panel: false,
    story: "board to be moved",
    sees: { css: ".dropdown-menu" },
    reach: openBoardMenu,
    wide: true,
  },
  "board to be moved": {
    panel: false,
    sees: "moving.rules",
    reach: async (at) => {
      await openBoardMenu(at)
      await at.page
        .locator(".dropdown-menu")
        .getByText(await at.text("moving.open"), { exact: true })
        .click()
    },
  },
  "board added": {
    panel: false,
    story: "board to be moved",
    sees: ["board.imported", { count: 1 }],
    reach: async (at) => giveFile(at, "board.import", JSON.stringify({ type: "excalidraw", elements: [RECTANGLE] })),
  },
  "not a PDF": {
    panel: false,
    story: "board to be moved",
    sees: "pdf.notAPdf",
    reach: (at) => giveFile(at, "pdf.insert", "This is no PDF."),
  },
  "ten minutes left": { sees: ["banner.ending", { count: 10, time: ANY }] },
  "two minutes left": { sees: ["banner.ending", { count: 2, time: ANY }] },
  "end to be changed": {
    panel: false,
    story: "ten minutes left",
    sees: ["ending.latest", { time: ANY }],
    reach: openEnd,
    wide: true,
  },
  "end at once": {
    panel: false,
    story: "ten minutes left",
    sees: "ending.hint",
    reach: async (at) => {
      await openEnd(at)
      await press(at, "menuitem", "ending.now")
    },
  },
  "copy after the end": { sees: "banner.copy", wide: true },
  "copy that may go on": { sees: "ending.late", wide: true },
  "return after the end": { sees: "ending.asking", wide: true },
  "copy without the server": { sees: "banner.copyMeanwhile", wide: true },
  ring: { sees: "security.modules.bd", reach: openSecurity },
  chain: { sees: "security.modules.gdh", reach: openSecurity },
  star: { sees: "security.modules.ckd", reach: openSecurity },
  quorum: { sees: "security.modules.majority", reach: openSecurity },
  "waiting for people": { sees: ["roster.waiting", { count: 3 }] },
  pictures: { sees: ["pictures.coming", { count: 3 }] },
  "receiving the board": { sees: ["banner.receiving", { name: "Bob" }] },
  "in a frame": { sees: ["embed.insideOf.unseen", { host: "school.example" }] },
  "everything at once": { sees: "update.ready", wide: true },
  merged: { sees: ["banner.merged", { names: ["Grace", "Linus", "Margaret"] }] },
}

async function leave(at: At): Promise<void> {
  await press(at, "button", "bar.leave")
}

/** In the bar, or below it on a phone. */
async function openEnd({ page }: At): Promise<void> {
  await page.locator(".end-time button").filter({ visible: true }).first().click()
}

export async function openSecurity(at: At): Promise<void> {
  await press(at, "button", "lock.name")
  await at.page.getByText(await at.text("security.details"), { exact: true }).click()
}

/** Or closes it. */
async function openBoardMenu(at: At): Promise<void> {
  await at.page.locator(".main-menu-trigger").filter({ visible: true }).first().click()
}

/** Into the field behind an entry of the board's menu, which is there when the board can take it. */
async function giveFile(at: At, key: string, content: string): Promise<void> {
  const label = await at.text(key)
  await openBoardMenu(at)
  await expect(at.page.locator(".dropdown-menu").getByText(label, { exact: true })).toBeVisible()
  await openBoardMenu(at)
  const file = { name: "file.txt", mimeType: "", buffer: Buffer.from(content) }
  await at.page.locator(`input[aria-label=${JSON.stringify(label)}]`).setInputFiles(file)
}

/** As Excalidraw saves it. */
const RECTANGLE = JSON.parse(
  `{ "id": "r", "type": "rectangle", "x": 400, "y": 0, "width": 200, "height": 100, "angle": 0, "index": "a1",
     "strokeColor": "#1e1e1e", "backgroundColor": "#b2f2bb", "fillStyle": "solid", "strokeWidth": 2,
     "strokeStyle": "solid", "roughness": 1, "opacity": 100, "seed": 7, "version": 1, "versionNonce": 1, "updated": 1,
     "isDeleted": false, "locked": false, "link": null, "groupIds": [], "frameId": null, "roundness": null,
     "boundElements": null }`,
) as object
