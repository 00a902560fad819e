import { launch } from "../../browsers.ts"
import { disguisesOfBytes, disguisesOfText, findDisguises } from "../../support/security/disguises.ts"
import { expect, test } from "../../support/fixtures.ts"
import { Recorder } from "../../support/security/recorder.ts"
import { invite, meet, seesDrawing } from "../../support/scenes.ts"
import { hostsNamedInTheApp, Sink } from "../../support/security/sink.ts"

// A secret that leaks now and then has leaked: no second try.
test.describe.configure({ retries: 0 })

test("no name, title, chat, board content or secret reaches the server in any encoding", async ({ server, people }) => {
  const recorder = await Recorder.start(server.origin)
  const creator = await people.arrive("Zaphod Beeblebröx")
  const joiner = await people.arrive("Trillian McMillan", "firefox")
  const title = "Constitutional tea party"
  await creator.start(recorder.origin, { title })
  const link = new URL(await invite(creator, joiner))
  await expect(joiner.page.getByText(title)).toBeVisible()
  const said = ["Der Würfel ist gefallen 4711", "forty-two is the answer"]
  const written = "Magrathea blueprint"
  await creator.say(said[0] ?? "")
  await joiner.say(said[1] ?? "")
  await expect.poll(async () => (await creator.texts()).toSorted()).toEqual(said)
  await creator.board.write({ x: 350, y: 300 }, written)
  await seesDrawing(joiner, { x: 350, y: 300 })
  await joiner.page.reload()
  for (const person of [creator, joiner]) await person.seesEncryptedFor(2)
  await creator.copyLink()

  const secretText = link.hash.slice(1).split(".")[0] ?? ""
  const texts = [title, creator.name, joiner.name, ...said, written, secretText]
  const secrets = [...texts.flatMap(disguisesOfText), ...disguisesOfBytes(Buffer.from(secretText, "base64url"))]
  expect(findDisguises(recorder.passed(), secrets)).toEqual([])

  // The recorder and the search would have found it: what the server may know is found …
  const conferenceId = Buffer.from(link.pathname.replace("/c/", ""))
  expect(findDisguises(recorder.passed(), [{ how: "the conference's id", pattern: conferenceId }])).toHaveLength(1)
  // … and so is what a page sends that betrays its people, over HTTP and over a WebSocket.
  await creator.page.evaluate(async (name) => {
    const utf8 = String.fromCharCode(...new TextEncoder().encode(`by ${name} `))
    await fetch(`/healthz?${btoa(utf8)}`)
    const socket = new WebSocket(`${location.origin.replace("http", "ws")}/signaling/v1/?EIO=4&transport=websocket`)
    await new Promise((resolve) => socket.addEventListener("message", resolve, { once: true }))
    socket.send(name)
    await new Promise((resolve) => socket.addEventListener("close", resolve, { once: true }))
  }, creator.name)
  expect(findDisguises(recorder.passed(), secrets)).toEqual(expect.arrayContaining(["plain", "base64"]))
  await recorder.close()
})

test("the page and its worker ask nobody but their own server for anything", async ({ server, people }) => {
  const sink = await Sink.open()
  const strangers = await hostsNamedInTheApp()
  const ada = await people.arriveIn(await launch("chromium", sink.chromiumArguments(strangers)), "Ada")
  const bob = await people.arrive("Bob", "firefox")
  const asked: string[] = []
  for (const { page } of [ada, bob]) {
    page.context().on("request", (request) => asked.push(request.url()))
    page.on("websocket", (socket) => asked.push(socket.url()))
  }

  await meet(server.origin, ada, bob)
  await ada.say("Ada shares https://stranger.example/picture.png")
  await expect.poll(() => bob.texts()).toHaveLength(1)
  // Every font of the board, and what it loads to export a picture.
  await ada.board.write({ x: 350, y: 300 }, "Fonts: ä 漢字 Ω")
  await seesDrawing(bob, { x: 350, y: 300 })
  await ada.page.keyboard.press("ControlOrMeta+Shift+E")
  await expect(ada.page.getByRole("heading", { name: "Export image" })).toBeVisible()
  await ada.page.close()
  await bob.seesLock("Only you are here.")

  const { host } = new URL(server.origin)
  expect(asked.some((url) => url.includes("worker"))).toBe(true)
  expect(asked.filter((url) => /^(?:https?|wss?):/u.test(url) && new URL(url).host !== host)).toEqual([])
  expect(sink.heard).toEqual([])

  // The sink would have heard: who follows a link to one of these hosts is heard there.
  const stranger = strangers.find((host) => host.includes("excalidraw")) ?? ""
  const elsewhere = await ada.page.context().newPage()
  await elsewhere.goto(`http://${stranger}/`).catch(() => undefined) // It answers with no page.
  await expect.poll(() => sink.heard.join()).toContain(stranger)
  sink.close()
})

test("the content security policy stops a buggy page that contacts a third party", async ({ server, people }) => {
  for (const kind of ["chromium", "firefox"] as const) {
    const ada = await people.arrive("Ada", kind)
    await ada.start(server.origin)
    const refused = await ada.page.evaluate(() =>
      fetch("https://stranger.example/").then(
        () => false,
        () => true,
      ),
    )
    expect(refused).toBe(true)
    // The same alarm that makes every other test here fail.
    await expect.poll(() => ada.complaints.join()).toMatch(/content security policy/iu)
    await ada.page.close()
    ada.complaints.length = 0
  }
})
