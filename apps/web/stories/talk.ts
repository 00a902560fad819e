import { encodeReply } from "../src/session/reply.ts"
import { LONG, RTL } from "./people.ts"
import type { Story } from "./conference.ts"

export function talk({ say, mark }: Story): void {
  const plan = say(1, "Shall we begin with the **roof**? `rain()` comes *first*.")
  say(2, "I have the plan: https://example.org/a-rather-long/address/that-must-wrap/somewhere?plan=roof")
  const mine = say(0, "Yes.")
  const gone = say(2, "This was wrong.")
  mark(2, { type: "delete", of: gone.id })
  mark(0, { type: "edit", of: mine.id, text: "Yes. The north side first, it leaks most." })
  mark(0, { type: "reaction", of: plan.id, emoji: "👍", on: true })
  mark(2, { type: "reaction", of: plan.id, emoji: "👍", on: true })
  mark(2, { type: "reaction", of: plan.id, emoji: "🎉", on: true })
}

/** Answers, mentions, a list and a link whose words are another address. */
export function discuss({ say }: Story): void {
  const question = say(1, "Where do we begin? @Ada, @Eve")
  say(
    0,
    encodeReply(question.id, "- the north side\n- the windows\n\nSee [https://plan.example](https://other.example/x)"),
  )
  say(2, encodeReply("gone", "That was long ago."))
}

/** Sixty people, and five hundred messages of all kinds. */
export function crowd(): readonly string[] {
  return Array.from({ length: 60 }, (_, i) =>
    i % 10 === 3 ? `${LONG} ${i}` : i % 10 === 6 ? `${RTL} ${i}` : `Person ${i}`,
  )
}

export function chatter({ say }: Story): void {
  const texts = [
    "Yes.",
    "من الأفضل أن نبدأ بالسقف، ثم الجدران.",
    "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung".repeat(2),
    "A longer thought that takes more than one line, so that the list has messages of many heights in it.",
    '```\nconst roof = await mend({ side: "north", before: "rain" })\n```',
  ]
  for (let i = 0; i < 500; i++) say((i * 7) % 60, `${texts[i % texts.length]} ${i}`)
}

/** An open poll, a closed vote, and one whose result is hidden. */
export function decide({ poll }: Story): void {
  const draft = { type: "poll", several: false, hidden: true, options: ["👍 For", "👎 Against", "🤷 Abstain"] }
  const roof = poll(1, { ...draft, question: `Shall we mend the roof? ${RTL}` }).id
  for (const index of [0, 1, 2]) poll(index, { type: "vote", of: roof, chosen: [index % 2], turn: 0 })
  poll(1, { type: "close", of: roof })
  poll(2, { ...draft, question: "Do we need a break?" })
  const lunch = { options: ["Soup", LONG, "Bread"], several: true, hidden: false, question: "Lunch?" }
  const { id } = poll(0, { type: "poll", ...lunch })
  for (const index of [0, 3, 4])
    poll(index, { type: "vote", of: id, chosen: index % 3 === 0 ? [0] : [0, index % 3], turn: 0 })
}
