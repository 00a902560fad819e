import type { TextsWithoutOne } from "../plurals.ts"
import { board, pictures } from "./board.ts"
import { call } from "./call.ts"
import { certificates } from "./certificates.ts"
import { chat } from "./chat.ts"
import { diagnostics } from "./diagnostics.ts"
import { evidence } from "./evidence.ts"
import { files } from "./files.ts"
import { lock, bar, banner, ending, leave, news, invitation } from "./conference.ts"
import { hosts } from "./hosts.ts"
import { mine } from "./mine.ts"
import { people, alarm, verify } from "./people.ts"
import { insecure, nowhere, problem } from "./problem.ts"
import { protection } from "./protection.ts"
import { directory, roster } from "./roster.ts"
import { embed } from "./room/embed.ts"
import { invite } from "./room/invite.ts"
import { pdf } from "./room/pdf.ts"
import { polls } from "./room/polls.ts"
import { moving } from "./room/moving.ts"
import { rename } from "./room/rename.ts"
import { room } from "./room/room.ts"
import { showing } from "./room/showing.ts"
import { templates } from "./room/templates.ts"
import { talk } from "./room/talk.ts"
import { timer } from "./room/timer.ts"
import { schedule } from "./schedule.ts"
import { security, keyPicture } from "./security.ts"
import { settings, identity, shortcuts } from "./settings.ts"
import { start, enter, working } from "./start.ts"
import { part, update } from "./update.ts"

export const ja: TextsWithoutOne = {
  product: "Keymoot",
  start,
  enter,
  working,
  schedule,
  certificates,
  roster,
  directory,
  room,
  embed,
  invite,
  pdf,
  templates,
  showing,
  talk,
  polls,
  timer,
  moving,
  rename,
  protection,
  insecure,
  nowhere,
  problem,
  lock,
  bar,
  banner,
  ending,
  leave,
  news,
  invitation,
  chat,
  call,
  evidence,
  files,
  hosts,
  mine,
  part,
  people,
  alarm,
  verify,
  security,
  keyPicture,
  diagnostics,
  settings,
  identity,
  shortcuts,
  update,
  board,
  pictures,
}
