import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { expect, test } from "../support/fixtures.ts"
import type { People } from "../support/people.ts"
import type { Person } from "../support/person.ts"
import { start } from "../support/projects.ts"
import { serveFolder } from "../support/static-server.ts"

const ENTRY_BYTES_MAX = 100_000
const WORKER_BYTES_MAX = 350_000

// The packages as packed, in projects of their own outside the repository: nothing here reaches their sources. Each project is built
// once, by the process that runs all of these tests.
test.describe.configure({ mode: "default" })

async function enter(person: Person, address: string): Promise<void> {
  await person.page.goto(address)
  await person.type("Your name", person.name)
  await person.press("Enter")
}

async function say(person: Person, text: string): Promise<void> {
  await person.type("Message", text)
  await person.press("Send")
}

/** Ada opens the page, Bob the address that hers has then. */
async function meet(people: People, address: string): Promise<[Person, Person]> {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  await enter(ada, address)
  await expect(ada.page.getByText("Encrypted for Ada.")).toBeVisible()
  await enter(bob, ada.page.url())
  const both = /^Encrypted for (?:Ada and Bob|Bob and Ada)\.$/u
  for (const { page } of [ada, bob]) await expect(page.getByText(both)).toBeVisible()
  return [ada, bob]
}

async function talk(ada: Person, bob: Person): Promise<void> {
  await say(ada, "hello from here")
  await say(bob, "hello from there")
  for (const { page } of [ada, bob]) {
    await expect(page.getByText("Ada: hello from here")).toBeVisible()
    await expect(page.getByText("Bob: hello from there")).toBeVisible()
  }
}

test("Vite's development server: two meet in the vanilla chat", async ({ server, people, projects }) => {
  const project = await projects.of("vanilla-chat")
  const vite = await start(project, ["vite", "--host", "127.0.0.1"], /Local:\s+(http:\S+)/u)
  try {
    await talk(...(await meet(people, `${vite.match[1]}?server=${server.origin}`)))
  } finally {
    vite.stop()
  }
})

test("Vite's production build: two meet in the vanilla chat, under the documented policy, and a bot in Node answers", async ({
  server,
  people,
  projects,
}) => {
  const pages = await serveFolder(await projects.built("vanilla-chat"), documentedPolicy(server.origin))
  const [ada, bob] = await meet(people, `${pages.origin}/?server=${server.origin}`)
  await talk(ada, bob)

  const invitation = new URL(ada.page.url()).hash.slice(1)
  const bot = await start(await projects.of("node-bot"), ["node", "bot.js", invitation], /^secured with .*Ada/u)
  try {
    await say(bob, "ping")
    await expect(ada.page.getByText("Ping bot: pong")).toBeVisible()
  } finally {
    bot.stop()
    pages.close()
  }
})

test("Vite's production build: the entry and the worker are small enough", async ({ projects }) => {
  const assets = join(await projects.built("vanilla-chat"), "assets")
  const sizes = readdirSync(assets).map((file) => [file, gzipSync(readFileSync(join(assets, file))).length] as const)
  const sizeOf = (name: string): number => sizes.find(([file]) => file.startsWith(name))?.[1] ?? Infinity
  expect(sizeOf("keymoot-worker-")).toBeLessThan(WORKER_BYTES_MAX)
  expect(sizeOf("index-")).toBeLessThan(ENTRY_BYTES_MAX)
  expect(sizes).toHaveLength(2)
})

test("webpack: two meet in the vanilla chat, on a page that forbids WebAssembly", async ({
  server,
  people,
  projects,
}) => {
  const { "Content-Security-Policy": policy } = documentedPolicy(server.origin)
  const forbidding = { "Content-Security-Policy": policy!.replace("'wasm-unsafe-eval'", "") }
  const pages = await serveFolder(await projects.built("vanilla-chat", "build:webpack"), forbidding)
  await talk(...(await meet(people, `${pages.origin}/?server=${server.origin}`)))
  pages.close()
})

test("an import map without a bundler: two meet, talk and share a document", async ({ server, people, projects }) => {
  const pages = await serveFolder((await projects.of("import-map-chat")).directory)
  const [ada, bob] = await meet(people, `${pages.origin}/?server=${server.origin}`)
  await talk(ada, bob)
  for (const { page } of [ada, bob]) await expect(page.getByText("Words said: 6")).toBeVisible()
  pages.close()
})

test("what was asked before anybody had an identity and the identity have one worker, which ends with it", async ({
  people,
  projects,
}) => {
  const pages = await serveFolder((await projects.of("import-map-chat")).directory)
  const { page } = await people.arrive("Ada")
  await page.goto(pages.origin)
  type Opened = { identity: { close(): Promise<void> } }
  let started = 0
  page.on("worker", () => started++)
  await page.evaluate(async () => {
    const name = "@keymoot/core"
    const { Conference, Identity } = await import(name)
    await Promise.all([Identity.stored(), Conference.kept()])
    Object.assign(globalThis, { identity: await Identity.open({ name: "Ada" }) })
  })
  expect(page.workers()).toHaveLength(1)
  expect(started).toBe(1)
  await page.evaluate(() => (globalThis as unknown as Opened).identity.close())
  await expect.poll(() => page.workers()).toEqual([])
  pages.close()
})

test("React: what one draws on the whiteboard the other sees", async ({ server, people, projects }) => {
  const pages = await serveFolder(await projects.built("react-whiteboard"))
  const [ada, bob] = await meet(people, `${pages.origin}/?server=${server.origin}`)
  const board = (await ada.page.locator("svg").boundingBox())!
  await ada.page.mouse.move(board.x + 100, board.y + 100)
  await ada.page.mouse.down()
  await ada.page.mouse.move(board.x + 200, board.y + 150)
  const [unfinished, finished] = ["gray", "black"].map((colour) => bob.page.locator(`polyline[stroke=${colour}]`))
  await expect(unfinished!).toHaveAttribute("points", /^\d+,\d+ \d+,\d+$/u)
  await ada.page.mouse.up()
  await expect(finished!).toHaveAttribute("points", /^\d+,\d+ \d+,\d+$/u)
  pages.close()
})

test("signalling of one's own: two meet without Keymoot's server", async ({ people, projects }) => {
  const pages = await serveFolder(await projects.built("own-signalling"))
  const signalling = await start(await projects.of("own-signalling"), ["node", "server.js"], /^Signalling at (\S+)$/u, {
    PORT: "0",
  })
  try {
    await talk(...(await meet(people, `${pages.origin}/?signalling=${signalling.match[1]}`)))
  } finally {
    signalling.stop()
    pages.close()
  }
})

/** The one of docs/embedding.md, for this server. */
function documentedPolicy(server: string): Record<string, string> {
  const document = readFileSync(new URL("../../docs/embedding.md", import.meta.url), "utf8")
  const policy = /^Content-Security-Policy: (.*)$/mu.exec(document)![1]!
  const socket = server.replace(/^http/u, "ws")
  return {
    "Content-Security-Policy": policy.replace("https://meet.example", server).replace("wss://meet.example", socket),
  }
}
