/** Takes the stated number of bombs at once, and reports its peak memory in bytes. */
import { memberAt, openTarget, packBomb } from "./bombs.ts"

const members = Number(process.argv[2])
const { document, events, send } = openTarget(members, members)
const bomb = await packBomb()
for (let index = 0; index < members; index++) send(memberAt(index), bomb)
while (events.filter(({ code }) => code === "invalid-content").length < members) {
  await new Promise((resolve) => setTimeout(resolve, 5))
}
document.close()
console.log(process.resourceUsage().maxRSS * 1024)
