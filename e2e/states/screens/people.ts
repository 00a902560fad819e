import { type At, openMessage, openPerson, press, type Screens, showPeople } from "../screen.ts"

/** People, their roles, and what they write. */
export const people: Screens = {
  replies: { sees: "talk.quoteMissing", panel: true },
  "reply being written": { sees: { css: ".replying-to" }, panel: true },
  mentioned: { sees: ["talk.mentionedBy", { count: 1, names: ["Bob"] }], panel: true },
  "chat search": {
    story: "secured",
    sees: ["talk.found", { at: 1, all: 2 }],
    reach: (at) => search(at, "roof"),
  },
  "chat search in vain": { story: "secured", sees: "talk.nothingFound", reach: (at) => search(at, "cellar") },
  "shared picture": { sees: { css: ".file-preview img" }, panel: true },
  "opened picture": {
    story: "shared picture",
    sees: { css: "[role=dialog] .large-picture" },
    reach: ({ page }) => page.locator(".file-preview").first().click(),
  },
  "my role changed": { sees: "room.myRole.editor" },
  "raised hand": { sees: ["chat.hand", { names: ["Ada"] }] },
  viewer: { sees: "hosts.viewing", panel: true },
  "equal names": { sees: "people.sameName", reach: showPeople },
  "own other device": { sees: "people.otherDevice", reach: showPeople },
  "ranks of hosts": { sees: ["hosts.rank", { rank: 3 }], reach: showPeople, wide: true },
  "menu of a higher host": {
    story: "ranks of hosts",
    sees: ["hosts.higher", { name: "Bob" }],
    reach: (at) => openPerson(at, "Bob"),
  },
  "name to be changed": {
    story: "only host",
    sees: "rename.hint",
    reach: async (at) => {
      await showPeople(at)
      await press(at, "button", "rename.open")
    },
  },
  "only host leaves": {
    story: "only host",
    sees: ["hosts.makeHost", { name: "Bob" }],
    reach: (at) => press(at, "button", "bar.leave"),
    wide: true,
  },
  "no host here": { sees: "hosts.noHost" },
  "no host vouched": { sees: "hosts.unvouched" },
  "waiting for a host": { sees: "hosts.waitingHint" },
  "waiting without a host": { sees: "hosts.waitingAlone" },
  "messages while waiting": { sees: { words: "Which Grace?" }, wide: true },
  knocks: { sees: "hosts.knocks", reach: showPeople, wide: true },
  "knocks above the board": { story: "knocks", sees: ["hosts.knockNews", { count: 1, names: ["Grace"] }], wide: true },
  "many knocks": { sees: ["hosts.knocksMany", { count: 8 }] },
  "sent while away": { sees: "chat.transferredHint", panel: true },
  certified: { sees: ["certificates.by", { name: "Acme Ltd" }], reach: showPeople },
  crowd: { sees: ["people.title", { count: 60 }], reach: showPeople },
  "chat of a crowd": { story: "crowd", sees: { css: ".messages article" }, panel: true },
  "message menu": { story: "secured", sees: { css: ".menu .emoji-row" }, reach: openMine },
  "message to be deleted": {
    story: "secured",
    sees: { css: ".menu .hint" },
    reach: async (at) => {
      await openMine(at)
      await press(at, "button", "chat.delete")
    },
  },
  "message being changed": {
    story: "secured",
    sees: { css: ".messages textarea" },
    reach: async (at) => {
      await openMine(at)
      await press(at, "button", "chat.edit")
    },
  },
  emoji: { story: "secured", sees: { css: ".popover .emoji" }, reach: (at) => press(at, "button", "chat.emoji") },
  "person menu": { story: "secured", sees: { css: "[role=menu]" }, reach: (at) => openPerson(at, "Bob"), wide: true },
  "person to be removed": {
    story: "secured",
    sees: "hosts.removeHint",
    reach: async (at) => {
      await openPerson(at, "Bob")
      await press(at, "menuitem", "hosts.remove")
    },
  },
  "codes as digits": { story: "secured", sees: { css: ".pair-digits" }, reach: openCodes },
  "codes as words": {
    story: "secured",
    sees: { css: ".pair-words" },
    reach: async (at) => {
      await openCodes(at)
      await press(at, "tab", "verify.form.words")
    },
  },
  "codes to be scanned": {
    story: "secured",
    sees: { css: "[role=dialog] svg" },
    reach: async (at) => {
      await openCodes(at)
      await press(at, "tab", "verify.form.scan")
    },
  },
  "codes that differ": {
    story: "secured",
    sees: ["verify.differs", { name: "Eve" }],
    reach: async (at) => {
      await openPerson(at, "Eve")
      await press(at, "menuitem", "people.verify")
      await press(at, "button", "verify.notSame")
    },
    wide: true,
  },
}

function openMine(at: At): Promise<void> {
  return openMessage(at, "The north side first")
}

async function openCodes(at: At): Promise<void> {
  await openPerson(at, "Bob")
  await press(at, "menuitem", "people.codes")
}

async function search(at: At, query: string): Promise<void> {
  await press(at, "button", "talk.search")
  await at.page.getByRole("searchbox").fill(query)
}
