import {
  findService,
  freePort,
  howToInstall,
  startNginx,
  startPostgres,
  startRedis,
  type Service,
} from "@keymoot/tools"
import { describe, expect, onTestFinished, test } from "vitest"
import { Conference } from "../../src/index.ts"
import { openIdentityInNode } from "../../src/node/index.ts"
import { received, securedWith } from "../conference-run/harness.ts"
import { ServerProcess } from "./server-processes.ts"

const missing = (["redis-server", "nginx", "postgres"] satisfies Service[]).find(
  (service) => findService(service) === null,
)
if (missing !== undefined) console.log(`Skipped: conferences across two server processes. ${howToInstall(missing)}.`)

/** Two processes, one Redis, one database, and a load balancer in front. */
async function grownServer() {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  const databaseUrl = postgres.freshDatabase()
  const redis = await startRedis()
  onTestFinished(() => redis.kill())
  const start = async (port: number) => {
    const server = new ServerProcess({ DATABASE_URL: databaseUrl, REDIS_URL: redis.url, PORT: String(port) })
    onTestFinished(() => server.end("SIGKILL"))
    await server.start()
    return server
  }
  const ports = [await freePort(), await freePort()] as const
  const servers = [await start(ports[0]), await start(ports[1])] as const
  const nginx = await startNginx([`127.0.0.1:${ports[0]}`, `127.0.0.1:${ports[1]}`])
  onTestFinished(() => nginx.stop())
  return { url: nginx.url, servers }
}

/** Somebody in a conference, and everything that must not happen to them. */
async function person(
  name: string,
  enter: (identity: Awaited<ReturnType<typeof openIdentityInNode>>) => Promise<Conference>,
) {
  const identity = await openIdentityInNode({ name })
  onTestFinished(() => identity.close())
  const conference = await enter(identity)
  const sizes: number[] = []
  const outages: string[] = []
  conference.on("view", (view) => sizes.push(view.members.length))
  conference.on("server", (state) => outages.push(state))
  return { conference, sizes, outages }
}

async function peopleAt(url: string, names: readonly string[]) {
  const [first, ...others] = names
  const creator = await person(first!, (identity) => Conference.create({ server: url, identity }))
  const people = [creator]
  for (const name of others) people.push(await joiner(name, creator.conference))
  await Promise.all(people.map(({ conference }) => securedWith(conference, names.length)))
  return people
}

function joiner(name: string, { invitation }: Conference) {
  return person(name, (identity) => Conference.join({ url: invitation.url, identity }))
}

async function expectNobodyLost(people: readonly Awaited<ReturnType<typeof person>>[]): Promise<void> {
  for (const { conference } of people) await expect.poll(() => conference.server, { timeout: 60_000 }).toBe("up")
  for (const { sizes } of people) expect(sizes).toEqual(sizes.toSorted((one, other) => one - other))
}

describe.skipIf(missing !== undefined)("a conference across two server processes", () => {
  test("continues when one is killed, and joining members then get in", { timeout: 180_000 }, async () => {
    const { url, servers } = await grownServer()
    const people = await peopleAt(url, ["Ada", "Bob", "Cem", "Dua"])

    for (const [round, server] of servers.entries()) {
      const count = people.length + 1
      const together = people.map(({ conference }) => securedWith(conference, count))
      const joining = joiner(`Late ${round}`, people[0]!.conference)
      const late = await joining
      // In the room, or on the way into it; nobody has met the newcomer.
      await server.end("SIGKILL")
      people.push(late)
      await Promise.all([...together, securedWith(late.conference, count)])
      await server.start()
    }

    // Each process had people, who heard of its end; they all got over it.
    expect(people.filter(({ outages }) => outages.includes("down")).length).toBeGreaterThan(1)
    await expectNobodyLost(people)
    const heard = people.map(({ conference }) => received(conference, "chat", 1))
    await people[0]!.conference.channel("chat", { history: true }).send("all here")
    for (const messages of await Promise.all(heard)) expect(messages[0]!.text).toBe("all here")
  })

  test("loses nobody and nothing while both are restarted, one after the other", { timeout: 180_000 }, async () => {
    const { url, servers } = await grownServer()
    const people = await peopleAt(url, ["Ada", "Bob", "Cem"])
    const founders = people.slice()
    for (const [round, server] of servers.entries()) {
      const heard = founders.map(({ conference }) => received(conference, `round ${round}`, 1))
      const end = server.end("SIGTERM")
      await founders[0]!.conference.channel(`round ${round}`).send("still here")
      await end
      for (const messages of await Promise.all(heard)) expect(messages[0]!.text).toBe("still here")
      await server.start()
      const count = people.length + 1
      const together = people.map(({ conference }) => securedWith(conference, count))
      const late = await joiner(`Late ${round}`, people[0]!.conference)
      people.push(late)
      await Promise.all([...together, securedWith(late.conference, count)])
    }
    // How long an outage is felt depends on the machine; that connections are resumed is for the server's own tests.
    await expectNobodyLost(people)
  })
})
