import { afterEach, expect, test } from "vitest"
import { Conference } from "../../src/client/conference.ts"
import { received, Room, securedWith } from "./harness.ts"

const SERVER = "http://localhost:1"
/** More than four are many here: whole engines of 25 take a test too long. */
const MESH_MAX = 4
let room = new Room(MESH_MAX)
afterEach(async () => {
  await room.close()
  room = new Room(MESH_MAX)
})

const LONG_MS = 120_000
const WAIT = { timeout: LONG_MS }
const names = (conference: Conference): string =>
  conference.view.members
    .map(({ name }) => name)
    .toSorted()
    .join(" ")
const isSecured = (conference: Conference, expected: string): boolean =>
  conference.view.status === "secured" && names(conference) === expected

async function together(conferences: readonly Conference[], expected: string): Promise<void> {
  await expect.poll(() => conferences.every((each) => isSecured(each, expected)), WAIT).toBe(true)
}

test.each(["off", "hybrid"] as const)(
  "grows beyond a full mesh: all hear all, and a host's removal is permanent (%s)",
  async (postQuantum) => {
    const ada = await room.create("Ada", { postQuantum })
    const secure: string[] = []
    const all = [ada]
    for (const name of ["Bob", "Cleo", "Dan", "Eve", "Fay", "Gus"]) all.push(await room.join(name, ada.invitation.url))
    for (const each of all) each.on("security", ({ code, detail }) => secure.push(`${code}: ${detail}`))
    await together(all, "Ada Bob Cleo Dan Eve Fay Gus")

    const heard = all.map((each) => received(each, "chat", 4))
    for (const [i, each] of all.slice(0, 4).entries()) void each.channel("chat").send(`hello ${i}`)
    const texts = (await Promise.all(heard)).map((messages) =>
      messages.map(({ data }) => new TextDecoder().decode(data)).join(),
    )
    expect(new Set(texts).size).toBe(1)

    const [, , , , eve] = all
    const closed = new Promise((resolve) => eve!.on("closed", resolve))
    const others = all.filter((each) => each !== eve)
    await ada.remove(eve!.self.id)
    expect(await closed).toBe("removed")
    await together(others, "Ada Bob Cleo Dan Fay Gus")
    // A member that enters by the new link meets the remaining ones.
    await expect.poll(() => new Set(others.map(({ invitation }) => invitation.url)).size, WAIT).toBe(1)
    const hal = await room.join("Hal", ada.invitation.url)
    const met = securedWith(hal, 7)
    await met
    await together([...others, hal], "Ada Bob Cleo Dan Fay Gus Hal")
    // A member on a busy machine may be blamed for slowness, and for nothing else.
    expect(secure.filter((event) => !event.startsWith("obstruction"))).toEqual([])
  },
  2 * LONG_MS,
)

test(
  "majority: a roster larger than a mesh has one key, and a late member reads all",
  async () => {
    const everybody = ["Ada", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gus"]
    const [ada, ...others] = await Promise.all(everybody.map((name) => room.identity(name)))
    const members = others.map(({ card }) => card)
    const admission = { policy: "roster", members } as const
    const first = await Conference.create({ server: SERVER, identity: ada!, admission, keyAgreement: "majority" })
    const { url } = first.invitation
    const all = [first]
    for (const identity of others.slice(0, 5)) all.push(await Conference.join({ url, identity }))
    await together(all, "Ada Bob Cleo Dan Eve Fay")

    const heard = all.map((each) => received(each, "chat", 1))
    void first.channel("chat", { history: true }).send("we are more than a mesh")
    for (const messages of await Promise.all(heard)) expect(messages[0]!.text).toBe("we are more than a mesh")

    const gus = await Conference.join({ url, identity: others.at(-1)! })
    const missed = received(gus, "chat", 1)
    await together([...all, gus], "Ada Bob Cleo Dan Eve Fay Gus")
    expect((await missed)[0]!.text).toBe("we are more than a mesh")
  },
  2 * LONG_MS,
)
