import { ANY, type At, press, type Screens, unfold } from "../screen.ts"

/** The screens before and after a conference. */
export const outside: Screens = {
  start: { sees: "start.lead", wide: true },
  "start with options": {
    story: "start",
    sees: "start.history",
    reach: (at) => unfold(at, "start.options"),
    wide: true,
  },
  "start with a guest list": {
    story: "start",
    sees: ["directory.found", { count: 4 }],
    reach: async (at) => {
      await unfold(at, "start.options")
      const roster = await at.text("start.admissions.roster")
      await at.page.getByLabel(await at.text("start.admission"), { exact: true }).selectOption({ label: roster })
      await unfold(at, "directory.find")
      await at.page.getByLabel(await at.text("directory.name"), { exact: true }).fill("Gr")
      await press(at, "button", "directory.search")
    },
    wide: true,
  },
  "start with cryptography": {
    story: "start",
    sees: "start.cryptographyHint",
    reach: (at) => unfold(at, "start.cryptography"),
    wide: true,
  },
  "start with mistakes": {
    story: "start",
    sees: "start.nameMissing",
    reach: async (at) => {
      await at.page.getByLabel(await at.text("start.name"), { exact: true }).fill("")
      await press(at, "button", "start.create")
    },
  },
  "start with my card": {
    story: "start",
    sees: "roster.myCardHint",
    reach: async (at) => {
      await unfold(at, "roster.myCard")
      await press(at, "button", "roster.copy")
    },
  },
  "entering, ended early": { sees: "enter.over", wide: true },
  "start after a failure": { sees: "problem.codes.server-unreachable" },
  "my conferences": { story: "start", sees: ["mine.with", { names: ["Bob", "Eve"] }], reach: openMine },
  "conferences that name me": {
    story: "start",
    sees: "directory.unsigned",
    reach: async (at) => {
      await openMine(at)
      await press(at, "button", "directory.named")
    },
  },
  "settings with identities": {
    story: "start",
    sees: "directory.notListed",
    reach: async (at) => {
      await press(at, "button", "settings.title")
      await unfold(at, "directory.title")
    },
    wide: true,
  },
  "directory asks": {
    story: "start",
    sees: ["directory.question", { name: "Ada", server: ANY }],
    reach: async (at) => {
      await press(at, "button", "settings.title")
      await unfold(at, "directory.title")
      await press(at, "button", "directory.publish")
    },
  },
  "what is protected": {
    story: "start",
    sees: { css: "[role=dialog]" },
    reach: (at) => press(at, "button", "start.whatIsProtected"),
  },
  entering: { sees: "enter.unverified", wide: true },
  "entering, more": { story: "entering", sees: "enter.whoMay", reach: (at) => unfold(at, "enter.more"), wide: true },
  "entering, verified": { sees: "people.verified" },
  "entering, another key": { sees: ["enter.changedKey", { name: ANY }] },
  "entering, unknown yet": { sees: "enter.looking" },
  "not on the guest list": { sees: "roster.copy" },
  "not open yet": { sees: ["schedule.opensAt", { time: ANY }] },
  joining: { sees: "working.joining" },
  "conference over": { sees: "problem.saveChat" },
  "removed by a host": { sees: "problem.codes.removed" },
  "refused by a host": { sees: { words: "Only the committee today." } },
  "wrong link": { sees: "problem.codes.invalid-link" },
  "unknown conference": { sees: "problem.codes.unknown-conference" },
  "expired link": { sees: "problem.codes.conference-over" },
  "damaged link": { sees: "problem.titles.invalid-link" },
  "link to another conference": { sees: "problem.titles.descriptor-mismatch" },
  "no such page": { sees: "nowhere.title" },
  "plain http": { sees: "insecure.title", wide: true },
  "link for another browser profile": { sees: "problem.codes.no-invitation" },
  "not on the list": { sees: "problem.codes.not-admitted" },
  "return without the server": { sees: "problem.openCopyHere" },
  "no storage": { sees: "problem.codes.storage-unavailable" },
  verify: { sees: "evidence.drop" },
  "evidence that is not valid": {
    story: "verify",
    sees: "evidence.faults.format",
    reach: async ({ page, text }) =>
      page
        .getByLabel(await text("evidence.file"), { exact: true })
        .setInputFiles({ name: "talk.keymoot", mimeType: "", buffer: Buffer.from("This is no archive.") }),
  },
  evidence: { sees: ["evidence.valid", { count: 6 }], wide: true },
  "frame refused": { sees: "embed.refused" },
}

async function openMine(at: At): Promise<void> {
  await unfold(at, "mine.title")
}
