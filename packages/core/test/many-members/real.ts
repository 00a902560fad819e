/**
 * Plays a conference of many members over real WebRTC, in processes of five members each, and prints a table of times.
 * Usage: npm run crowd:real -- [members] Fails unless they agree on one key and one order after each step.
 */
import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { startServer } from "@keymoot/signaling"
import { Conference } from "../../src/index.ts"
import { openIdentityInNode } from "../../src/node/index.ts"
import type { News, Order } from "./real-members.ts"

const MEMBERS_PER_PROCESS = 5
const WITHIN_MS = 600_000
const PROCESS = fileURLToPath(new URL("real-members.ts", import.meta.url))
const count = Number(process.argv[2] ?? 60)

type Member = { view: string; members: number; texts: string[] }
type Group = { readonly process: ChildProcess; readonly members: Map<string, Member> }

const security: string[] = []
let joined = 0

function startGroup(): Group {
  const child = fork(PROCESS, { execArgv: ["--conditions=keymoot-source"] })
  const members = new Map<string, Member>()
  child.on("message", (news: News) => {
    const member = members.get(news.name)!
    if (news.news === "view") Object.assign(member, { view: news.view, members: news.members })
    else if (news.news === "text") member.texts.push(news.text)
    else security.push(news.text)
  })
  return { process: child, members }
}

function join(group: Group): void {
  const name = `Member ${joined++}`
  group.members.set(name, { view: "", members: 0, texts: [] })
  order(group, { act: "join", name, url })
}

function order(group: Group, given: Order): void {
  group.process.send(given)
}

async function measure(step: string, act: () => void, holds: () => boolean): Promise<void> {
  const startMs = performance.now()
  act()
  while (!holds() && performance.now() - startMs < WITHIN_MS) await new Promise((resolve) => setTimeout(resolve, 20))
  const holdsNow = holds()
  console.log(`| ${step} | ${holdsNow ? `${((performance.now() - startMs) / 1000).toFixed(1)} s` : "NEVER"} |`)
  if (!holdsNow) process.exitCode = 1
}

const server = await startServer({ port: 0 })
// It invites, and leaves before the others come.
const host = await openIdentityInNode({ name: "Host" })
const conference = await Conference.create({ server: server.url, identity: host })
const { url } = conference.invitation
await host.close()
const groups = Array.from({ length: Math.ceil(count / MEMBERS_PER_PROCESS) }, startGroup)

const all = (): Member[] => groups.flatMap(({ members }) => [...members.values()])
const isTogether = (): boolean => {
  const members = all()
  return members.every(({ view, members: size }) => view === members[0]!.view && size === members.length)
}
const hasHeardAll = (): boolean => all().every(({ texts }) => texts.length === all().length)
const isOneOrder = (): boolean => new Set(all().map(({ texts }) => texts.join())).size === 1
const say = (): void => {
  for (const { texts } of all()) texts.length = 0
  for (const group of groups) order(group, { act: "say" })
}

console.log(`| ${count} members in ${groups.length} processes | |\n| --- | --- |`)
await measure(
  `all pressed join, to one secured view`,
  () => {
    for (let index = 0; index < count; index++) join(groups[index % groups.length]!)
  },
  isTogether,
)
const hear = (who: string): Promise<void> =>
  measure(`a message from each ${who}, to all having all in one order`, say, () => hasHeardAll() && isOneOrder())
await hear("at once")
await measure("one joins, to one secured view", () => join(groups[0]!), isTogether)
await measure(
  "one leaves, to one secured view",
  () => {
    const { members } = groups[0]!
    members.delete([...members.keys()].at(-1)!)
    order(groups[0]!, { act: "leave" })
  },
  isTogether,
)
await measure(
  "a third of the processes killed, to one secured view",
  () => {
    for (const { process: child } of groups.splice(-Math.round(groups.length / 3))) child.kill("SIGKILL")
  },
  isTogether,
)
await hear("that is left")
console.log(`| faults reported | ${security.length} ${[...new Set(security)].join("; ")} |`)
if (security.length > 0) process.exitCode = 1
process.exit()
