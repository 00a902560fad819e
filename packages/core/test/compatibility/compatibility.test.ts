/** The client of the last release, and made-up neighbours of it, against the one of this tree: over a real server and WebRTC. */
import { PROTOCOL, type Protocol } from "@keymoot/transport"
import { startServer } from "@keymoot/signaling"
import { expect, onTestFinished, test } from "vitest"
import { Conference } from "../../src/index.ts"
import { openIdentityInNode } from "../../src/node/index.ts"
import { securedWith } from "../conference-run/harness.ts"
import { KeptClient } from "./kept-client.ts"

/** In no release. */
const UNKNOWN_FEATURE = 65_280

async function currentClient() {
  const server = await startServer({ port: 0 })
  onTestFinished(() => server.close())
  const identity = await openIdentityInNode({ name: "Current" })
  onTestFinished(() => identity.close())
  const conference = await Conference.create({ server: server.url, identity })
  const security: string[] = []
  conference.on("security", ({ code, detail }) => security.push(`${code}: ${detail}`))
  return { conference, security }
}

function keptClient(change?: (protocol: Protocol) => Protocol): KeptClient {
  const kept = new KeptClient(change)
  onTestFinished(() => kept.remove())
  return kept
}

async function expectToTalk(kept: KeptClient): Promise<void> {
  const { conference, security } = await currentClient()
  const read: string[] = []
  const chat = conference.channel("chat", { history: true })
  chat.on("message", ({ text, from }) => void (from.self || read.push(text)))
  const { said } = kept.join(conference.invitation.url)
  await securedWith(conference, 2)
  await chat.send("from the current client")
  await expect.poll(() => read).toEqual(["from the kept client"])
  await expect.poll(() => said).toContainEqual({ read: "from the current client" })
  expect(said).toContainEqual({ secured: 2 })
  expect(conference.otherVersions).toEqual([])
  expect([...security, ...said.filter((each) => "security" in each)]).toEqual([])
}

async function expectToTellTheOlder(kept: KeptClient): Promise<void> {
  const { conference, security } = await currentClient()
  const { said } = kept.join(conference.invitation.url)
  const theirs = kept.protocol.major
  const ours = PROTOCOL.major
  const older = theirs < ours ? "them" : "us"
  await expect.poll(() => conference.otherVersions).toMatchObject([{ person: { name: "Kept" }, theirs, ours, older }])
  const opposite = older === "us" ? "them" : "us"
  await expect.poll(() => said).toContainEqual({ others: [{ name: "Current", older: opposite }] })
  expect(said.filter((each) => "secured" in each && each.secured > 1)).toEqual([])
  expect([...security, ...said.filter((each) => "security" in each)]).toEqual([])
}

test("the last release and this tree talk, or both tell which is older", async () => {
  const kept = keptClient()
  await (kept.protocol.major === PROTOCOL.major ? expectToTalk(kept) : expectToTellTheOlder(kept))
})

test("a client of the next major version and this tree both tell which is older", async () => {
  await expectToTellTheOlder(keptClient(() => ({ major: PROTOCOL.major + 1, features: [] })))
})

test("a client with a feature that this tree does not know talks with it", async () => {
  const features = [...PROTOCOL.features, UNKNOWN_FEATURE]
  const kept = keptClient(({ major }) => ({ major, features }))
  await (kept.protocol.major === PROTOCOL.major ? expectToTalk(kept) : expectToTellTheOlder(kept))
})

test("a client of another signalling version fails with that reason", async () => {
  const { conference } = await currentClient()
  const kept = keptClient()
  kept.changeSignaling("/signaling/v9")
  const { said } = kept.join(conference.invitation.url)
  await expect.poll(() => said).toEqual([{ failed: "other-server-version" }])
})
