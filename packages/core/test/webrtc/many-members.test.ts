import { startServer } from "@keymoot/signaling"
import { expect, onTestFinished, test } from "vitest"
import { Conference, type ChannelMessage } from "../../src/index.ts"
import { openIdentityInNode } from "../../src/node/index.ts"
import { securedWith } from "../conference-run/harness.ts"
import { joinPatiently } from "./patient-join.ts"

/** `npm run test:deep` takes 24. */
const MEMBERS = Number(process.env["WEBRTC_MEMBERS"] ?? 12)

test("secures many members in one process, who hear everything in one order", async () => {
  const server = await startServer({ port: 0 })
  onTestFinished(() => server.close())
  const identities = await Promise.all(
    Array.from({ length: MEMBERS }, (_, index) => openIdentityInNode({ name: `Member ${index}` })),
  )
  onTestFinished(() => Promise.all(identities.map((identity) => identity.close())).then(() => undefined))
  const first = await Conference.create({ server: server.url, identity: identities[0]! })
  const { url } = first.invitation
  const conferences = [first]
  for (const identity of identities.slice(1)) conferences.push(await joinPatiently(url, identity))
  const together = await Promise.all(conferences.map((conference) => securedWith(conference, MEMBERS)))
  expect(new Set(together.map(({ id }) => id)).size).toBe(1)

  const heard = conferences.map((conference) => {
    const texts: string[] = []
    conference.channel("chat").on("message", ({ text }: ChannelMessage) => void texts.push(text))
    return texts
  })
  await Promise.all(conferences.map((conference, index) => conference.channel("chat").send(`from ${index}`)))
  await expect.poll(() => heard.map(({ length }) => length)).toEqual(conferences.map(() => MEMBERS))
  for (const texts of heard) expect(texts).toEqual(heard[0])
  await expect
    .poll(async () => {
      const diagnostics = await Promise.all(conferences.map((conference) => conference.diagnostics()))
      return diagnostics.flatMap(({ links }) => links.filter(({ path }) => path !== "direct"))
    })
    .toEqual([])
})
