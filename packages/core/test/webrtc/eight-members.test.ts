import { spawn, type ChildProcess } from "node:child_process"
import { startServer, type RunningServer } from "@keymoot/signaling"
import { afterEach, expect, test } from "vitest"
import { Conference, type ChannelMessage, type Identity } from "../../src/index.ts"
import { openIdentityInNode } from "../../src/node/index.ts"
import { securedWith } from "../conference-run/harness.ts"

let server: RunningServer | null = null
let child: ChildProcess | null = null
const identities: Identity[] = []
afterEach(async () => {
  child?.kill("SIGKILL")
  for (const identity of identities) await identity.close()
  await server?.close()
})

async function identityOf(name: string): Promise<Identity> {
  const identity = await openIdentityInNode({ name })
  identities.push(identity)
  return identity
}

function startMemberProcess(url: string, name: string): ChildProcess {
  const script = new URL("./member-process.ts", import.meta.url).pathname
  const args = ["--conditions=keymoot-source", script, url, name]
  return spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] })
}

/** The text of everything that is said while one is there, in its order; what is handed over comes whenever it comes. */
function record(conference: Conference): string[] {
  const texts: string[] = []
  conference.channel("chat", { history: true }).on("message", ({ text, transferred }: ChannelMessage) => {
    if (!transferred) texts.push(text)
  })
  return texts
}

test("eight members over WebRTC: secured, one order, one is killed, secured again", { timeout: 480_000 }, async () => {
  server = await startServer({ port: 0 })
  const first = await Conference.create({ server: server.url, identity: await identityOf("Member 0") })
  const { url } = first.invitation
  child = startMemberProcess(url, "Mallory")
  const conferences = [first]
  for (let i = 1; i < 7; i++)
    conferences.push(await Conference.join({ url, identity: await identityOf(`Member ${i}`) }))
  const together = await Promise.all(conferences.map((conference) => securedWith(conference, 8)))
  expect(new Set(together.map(({ id }) => id)).size).toBe(1)

  const records = conferences.map(record)
  const sent = conferences.flatMap((conference, i) =>
    Array.from({ length: 20 }, (_, k) => conference.channel("chat", { history: true }).send(`${i}.${k}`)),
  )
  await Promise.all(sent)
  child.kill("SIGKILL")
  const after = await Promise.all(conferences.map((conference) => securedWith(conference, 7)))
  expect(new Set(after.map(({ id }) => id)).size).toBe(1)
  expect(after[0]!.epoch).toBeGreaterThan(together[0]!.epoch)

  const { links, views } = await first.diagnostics()
  const staying = links.filter(({ member }) => after[0]!.members.some(({ id }) => id === member))
  expect(staying.map(({ path }) => path)).toEqual(Array.from({ length: 6 }, () => "direct"))
  expect(staying.filter(({ roundTripMs }) => roundTripMs === null)).toEqual([])
  // A new key may follow.
  const loss = views.findLast(({ cause }) => cause !== "rekeyed")!
  expect(loss).toMatchObject({ members: 7, cause: "lost", joined: [] })
  const [gone] = loss.gone
  const killed = together[0]!.members.find(({ name }) => name === "Mallory")!
  expect(gone!.member).toBe(killed.id)
  expect(gone!.departure).toMatch(/^(?:link-lost|silent|coordinator)$/u)

  await first.channel("chat", { history: true }).send("the end")
  await expect.poll(() => records.every((texts) => texts.at(-1) === "the end"), { timeout: 30_000 }).toBe(true)
  // Some heard Mallory before the others came: compare what all were there for.
  const common = records.map((texts) => texts.slice(texts.findIndex((text) => /^\d\./.test(text))))
  for (const texts of common) {
    expect(texts.filter((text) => /^\d\./.test(text))).toHaveLength(140)
    expect(texts).toEqual(common[0])
  }
})
