import { readdirSync, readFileSync } from "node:fs"
import { cp, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import type { ConferenceMedia, MediaTrackStatistics } from "@keymoot/core"
import { howToInstall } from "@keymoot/tools"
import { arriveWithDevices, hears, seesPicture, tile, toggle } from "../../support/calls/call.ts"
import { enter, meet, say, talk } from "../../support/packages/example-chat.ts"
import { expect, test } from "../../support/fixtures.ts"
import type { Person } from "../../support/person.ts"
import { runScript, start } from "../../support/packages/projects.ts"
import { startSoundDevice } from "../../support/calls/sound-device.ts"
import { serveFolder } from "../../support/packages/static-server.ts"

// Checks of documents run where the documents are, in the page: they are some 8 kB, with the undo manager of Yjs. Checks
// of arguments are 1.4 kB: functions and signals stay in the page, so the engine can't check them.
const ENTRY_BYTES_MAX = 75_500
// A quarter of it is libsodium, a tenth are certificates, 20 kB ML-KEM with its fallback, and 9 kB the table of look-alike names.
const WORKER_BYTES_MAX = 338_000

const EMBEDDING = readFileSync(new URL("../../../docs/embedding.md", import.meta.url), "utf8")

// The packages as packed, in projects of their own outside the repository: nothing here reaches their sources. Each project is built
// once, by the process that runs all of these tests.
test.describe.configure({ mode: "default" })

test("Vite's development server: two meet in the vanilla chat", async ({ server, people, projects }) => {
  const project = await projects.of("vanilla-chat")
  const vite = await start(project, ["vite", "--host", "127.0.0.1"], /Local:\s+(http:\S+)/u)
  try {
    await talk(...(await meet(people, `${vite.match[1]}?server=${server.origin}`)))
  } finally {
    vite.stop()
  }
})

test("Vite's build: two meet under the documented CSP, and a bot in Node answers", async ({
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
  // Voice and video are loaded at the first call: their part of the page, and their worker.
  expect(sizes).toHaveLength(4)
})

for (const { bundler, script, tag } of [
  { bundler: "Vite", script: "build", tag: [] },
  // Like the other bundlers, which are all tested in `test:deep`.
  { bundler: "webpack", script: "build:webpack", tag: "@deep" },
]) {
  const title = `${bundler}: two meet in the vanilla chat, on a page that forbids WebAssembly`
  test(title, { tag }, async ({ server, people, projects }) => {
    const { "Content-Security-Policy": policy } = documentedPolicy(server.origin)
    const forbidding = { "Content-Security-Policy": policy!.replace("'wasm-unsafe-eval'", "") }
    const pages = await serveFolder(await projects.built("vanilla-chat", script), forbidding)
    await talk(...(await meet(people, `${pages.origin}/?server=${server.origin}`)))
    pages.close()
  })
}

test("an import map without a bundler: two meet, talk and share a document", async ({ server, people, projects }) => {
  const pages = await serveFolder((await projects.of("import-map-chat")).directory)
  const [ada, bob] = await meet(people, `${pages.origin}/?server=${server.origin}`)
  await talk(ada, bob)
  for (const { page } of [ada, bob]) await expect(page.getByText("Words said: 6")).toBeVisible()
  pages.close()
})

test("requests before and after an identity exists share one worker, ended with it", async ({ people, projects }) => {
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

for (const browser of ["chromium", "firefox"] as const) {
  test(`an import map runs under the documented policy in ${browser}`, async ({ server, people, projects }) => {
    const { directory } = await projects.of("import-map-chat")
    await cp(join(directory, "node_modules/@keymoot/core/dist/browser"), join(directory, "keymoot"), {
      recursive: true,
    })
    const map = /<script type="importmap">.*?<\/script>/su
    const page = await readFile(join(directory, "index.html"), "utf8")
    await writeFile(
      join(directory, "mapped.html"),
      page.replace(map, () => map.exec(EMBEDDING)![0]),
    )
    const pages = await serveFolder(directory, documentedPolicy(server.origin, "import map"))
    const address = `${pages.origin}/mapped.html?server=${server.origin}`
    await talk(...(await meet(people, address, { ada: browser, bob: browser })))
    pages.close()
  })
}

for (const [what, script] of [
  ["does nothing", ""],
  ["ends itself", "close()"],
] as const) {
  test(`opening an identity rejects when the worker ${what}`, async ({ people, projects }) => {
    const pages = await serveFolder((await projects.of("import-map-chat")).directory)
    const { page } = await people.arrive("Ada")
    await page.route("**/keymoot-worker.js", (route) => route.fulfill({ contentType: "text/javascript", body: script }))
    await page.clock.install()
    await page.goto(pages.origin)
    await page.getByLabel("Your name").fill("Ada")
    const worker = page.waitForEvent("worker")
    await page.getByRole("button", { name: "Enter" }).click()
    await worker
    await page.clock.fastForward("01:00")
    await expect(page.getByRole("alert")).toContainText("The engine did not start within 60 seconds.")
    pages.close()
  })
}

for (const kind of ["chromium", "firefox"] as const)
  test(`the voice room: two see and hear each other, and one in ${kind} leaves`, async ({
    server,
    people,
    projects,
  }) => {
    const pages = await serveFolder((await projects.of("voice-room")).directory)
    const ada = await arriveWithDevices(people, "Ada", "chromium")
    const bob = await arriveWithDevices(people, "Bob", kind)
    await bob.page.context().addInitScript(() => {
      // An empty page has none.
      const { mediaDevices: media } = navigator as { readonly mediaDevices?: MediaDevices }
      if (!media) return
      const open = media.getUserMedia.bind(media)
      const tracks: MediaStreamTrack[] = []
      media.getUserMedia = async (wanted) => {
        const stream = await open(wanted)
        tracks.push(...stream.getTracks())
        return stream
      }
      Object.assign(globalThis, { tracks })
    })
    await enter(ada, `${pages.origin}/?server=${server.origin}`)
    await expect(ada.page.getByText("Encrypted for Ada.")).toBeVisible()
    await enter(bob, ada.page.url())
    for (const person of [ada, bob]) {
      await person.press("Join call")
      for (const device of ["Microphone", "Camera"]) await toggle(person, device, true)
    }
    await seesPicture(ada, "Bob")
    await seesPicture(bob, "Ada")
    for (const person of [ada, bob]) await hears(person)
    await toggle(bob, "Camera", false)
    await expect(tile(ada, "Bob").locator("video")).toBeHidden()
    await bob.press("Leave call")
    await expect(tile(ada, "Bob")).toBeHidden()
    const states = (): Promise<string[]> =>
      bob.page.evaluate(() => (globalThis as unknown as { tracks: MediaStreamTrack[] }).tracks.map((t) => t.readyState))
    await expect.poll(states).toEqual(["ended", "ended"])
    pages.close()
  })

type WithMedia = { readonly media: ConferenceMedia }

/** Least and most of what `level` gives for the only other member, in a while in which a fake microphone beeps. */
function levelsAt({ page }: Person): Promise<{ readonly least: number; readonly most: number }> {
  return page.evaluate(async () => {
    const { media } = globalThis as unknown as WithMedia
    const levels: number[] = []
    for (const sinceMs = performance.now(); performance.now() - sinceMs < 2500;) {
      const [other] = media.participants
      levels.push(other ? media.level(other) : 0)
      await new Promise(requestAnimationFrame)
    }
    return { least: Math.min(...levels), most: Math.max(...levels) }
  })
}

function statisticsAt({ page }: Person): Promise<readonly MediaTrackStatistics[]> {
  return page.evaluate(() => (globalThis as unknown as WithMedia).media.statistics())
}

for (const kind of ["chromium", "firefox"] as const)
  test(`the voice room: levels, speaking and statistics follow the tracks in ${kind}`, async ({
    server,
    people,
    projects,
  }) => {
    const output = kind === "firefox" ? await startSoundDevice() : null
    test.skip(kind === "firefox" && output === null, howToInstall("pulseaudio"))
    const pages = await serveFolder((await projects.of("voice-room")).directory)
    const ada = await arriveWithDevices(people, "Ada", "chromium")
    // Without a sound device, Firefox suspends the AudioContext that measures.
    const bob = await arriveWithDevices(people, "Bob", kind, { sound: output?.server })
    for (const { page } of [ada, bob])
      await page.route("**/main.js", async (route) => {
        const response = await route.fetch()
        const named = "const { media } = (globalThis.media = conference.media, conference)"
        await route.fulfill({ response, body: (await response.text()).replace("const { media } = conference", named) })
      })
    await enter(ada, `${pages.origin}/?server=${server.origin}`)
    await expect(ada.page.getByText("Encrypted for Ada.")).toBeVisible()
    await enter(bob, ada.page.url())
    for (const person of [ada, bob]) await person.press("Join call")
    for (const [person, name] of [
      [ada, "Bob"],
      [bob, "Ada"],
    ] as const) {
      await expect(tile(person, name).getByText(name, { exact: true })).toBeVisible()
      expect(await levelsAt(person)).toEqual({ least: 0, most: 0 })
      await expect(tile(person, name)).not.toHaveAttribute("data-speaking")
    }

    for (const person of [ada, bob]) for (const device of ["Microphone", "Camera"]) await toggle(person, device, true)
    for (const [person, name] of [
      [ada, "Bob"],
      [bob, "Ada"],
    ] as const) {
      await expect.poll(async () => (await levelsAt(person)).most, `loudness at ${person.name}`).toBeGreaterThan(0.02)
      await expect(tile(person, name)).toHaveAttribute("data-speaking")
    }
    // Chromium's fake microphone is silent between its beeps.
    const { least, most } = await levelsAt(bob)
    expect(least).toBeLessThan(most / 4)

    const busy = async (): Promise<string[]> => {
      const tracks = (await statisticsAt(ada)).filter(({ frames }) => frames > 0)
      return tracks.map(({ member, direction, purpose }) => `${direction} ${purpose} ${member.name}`).toSorted()
    }
    const all = ["receive camera Bob", "receive microphone Bob", "send camera Bob", "send microphone Bob"]
    await expect.poll(busy).toEqual(all)
    const sum = async (): Promise<number> => (await statisticsAt(ada)).reduce((total, { frames }) => total + frames, 0)
    const before = await sum()
    await expect.poll(sum).toBeGreaterThan(before)
    expect((await statisticsAt(ada)).every(({ dropped }) => Object.values(dropped).every((count) => count > 0))).toBe(
      true,
    )

    await toggle(bob, "Microphone", false)
    await expect.poll(async () => (await levelsAt(ada)).most).toBeLessThan(0.001)
    await expect(tile(ada, "Bob")).not.toHaveAttribute("data-speaking")
    await ada.press("Leave call")
    expect(await statisticsAt(ada)).toEqual([])
    pages.close()
    output?.end()
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

test("modules of one's own: two browsers and a bot in Node meet with them", async ({ server, people, projects }) => {
  const project = await projects.of("own-modules")
  runScript(project, "check")
  const pages = await serveFolder(await projects.built("own-modules"))
  const address = `${pages.origin}/?server=${server.origin}`
  const [ada, bob] = await meet(people, address, { bob: "firefox" })
  await expect(ada.page).toHaveTitle("own:fresh-star, own:aes-256-ctr-hmac")
  await talk(ada, bob)
  const invitation = new URL(ada.page.url()).hash.slice(1)
  const bot = await start(project, ["node", "bot.js", invitation], /^secured with .*Ada/u)
  try {
    await expect(bob.page.getByText("Own bot: hello")).toBeVisible()
  } finally {
    bot.stop()
    pages.close()
  }

  // The app has none of them.
  const eve = await people.arrive("Eve")
  await eve.page.goto(invitation)
  await expect(eve.page.getByRole("heading", { name: "Another program is needed" })).toBeVisible()
})

/** Resolves once the server has answered a sound request after all of it. */
async function sendGarbage(address: string): Promise<void> {
  const socket = new WebSocket(address)
  await new Promise((done) => socket.addEventListener("open", done))
  const answered = new Promise<string>((done) =>
    socket.addEventListener("message", ({ data }) => String(data).includes('"request":2') && done(String(data))),
  )
  const garbage = [
    "{",
    "null",
    "[]",
    '{"type":"__proto__"}',
    '{"type":"constructor","request":1}',
    '{"type":"room-leave"}',
  ]
  for (const text of [...garbage, '{"type":"conference-get","id":"none","request":2}']) socket.send(text)
  expect(await answered).toContain("unknown-conference")
  socket.close()
}

test("signalling of one's own: two meet without Keymoot's server", async ({ people, projects }) => {
  const pages = await serveFolder(await projects.built("own-signalling"))
  const signalling = await start(await projects.of("own-signalling"), ["node", "server.js"], /^Signalling at (\S+)$/u, {
    PORT: "0",
  })
  try {
    await sendGarbage(signalling.match[1]!)
    await talk(...(await meet(people, `${pages.origin}/?signalling=${signalling.match[1]}`)))
  } finally {
    signalling.stop()
    pages.close()
  }
})

/** One of docs/embedding.md, for this server. */
function documentedPolicy(server: string, page: "bundled" | "import map" = "bundled"): Record<string, string> {
  const policies = [...EMBEDDING.matchAll(/^Content-Security-Policy: (.*)$/gmu)].map(([, policy]) => policy!)
  const policy = policies.find((policy) => policy.includes("'sha256-") === (page === "import map"))!
  const socket = server.replace(/^http/u, "ws")
  return {
    "Content-Security-Policy": policy.replace("https://meet.example", server).replace("wss://meet.example", socket),
  }
}
