/**
 * Plays a conference of many whole engines over in-memory links, and reports the result. Usage: npm run crowd --
 * [members] Fails unless they agree on one key, deliver in one order, and continue when 30 % crash at once.
 */
import { DEGREE_MAX, DEGREE_MIN } from "@keymoot/transport"
import { Crowd } from "./crowd.ts"

const WITHIN_MS = 120_000
const count = Number(process.argv[2] ?? 30)
const crowd = new Crowd()

function check(what: string, holds: boolean): void {
  const cpuS = (process.cpuUsage().user / 1e6).toFixed(0)
  console.log(`${holds ? "yes" : "NO "} ${what} · ${crowd.room.nowMs} ms of virtual time, ${cpuS} s of CPU`)
  if (!holds) process.exitCode = 1
}

async function hear(about: string, from: number): Promise<void> {
  for (const [i, member] of crowd.members.slice(0, from).entries()) crowd.say(member, `${about} ${i}`)
  const heard = (): string[] =>
    crowd.members.map((member) =>
      crowd.texts
        .get(member)!
        .filter((text) => text.startsWith(about))
        .join(),
    )
  const isAll = (): boolean => heard().every((texts) => texts.split(",").length === from)
  check(`${about}: everybody has all messages`, await crowd.room.runUntil(isAll, WITHIN_MS))
  check(`${about}: in one order`, new Set(heard()).size === 1)
}

await crowd.join(count)
check(`${count} in one secured view`, await crowd.room.runUntil(() => crowd.isTogether, WITHIN_MS))
const range = (): [number, number] => [Math.min(...crowd.degrees), Math.max(...crowd.degrees)]
const isRight = (): boolean => range()[0] >= DEGREE_MIN && range()[1] <= DEGREE_MAX
const settled = await crowd.room.runUntil(isRight, WITHIN_MS)
check(`degrees from ${range().join(" to ")}`, settled)
await hear("before", 8)
crowd.crash(crowd.members.slice(-Math.round(0.3 * count)))
check(`${crowd.members.length} are left, with a new key`, await crowd.room.runUntil(() => crowd.isTogether, WITHIN_MS))
await hear("after", 8)
check(`nothing was reported: ${[...new Set(crowd.security)].join("; ")}`, crowd.security.length === 0)
process.exit()
