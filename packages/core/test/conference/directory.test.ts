import type { BootstrapReply, HostCommand } from "@keymoot/transport/host"
import { conferenceIdOf, descriptorHashOf } from "@keymoot/transport/signaling-protocol"
import { expect, test } from "vitest"
import { Directory } from "../../src/runtime/directory.ts"

const SERVER = "https://meet.example"
const descriptor = new Uint8Array(100).fill(7)
const id = conferenceIdOf(descriptorHashOf(descriptor))

function scene() {
  const requests: number[] = []
  const post = (command: HostCommand) => {
    if (command.type === "conference-get") requests.push(command.request)
  }
  const directory = new Directory(post)
  const answer = (reply: BootstrapReply) =>
    directory.handle({ type: "bootstrap-reply", server: SERVER, request: requests.at(-1)!, reply })
  return { directory, requests, answer }
}

test("requests a descriptor once when a join follows its preview, answered or not", async () => {
  const { directory, requests, answer } = scene()
  const [preview, early] = [directory.fetchConference(SERVER, id), directory.fetchConference(SERVER, id)]
  answer({ ok: true, descriptor })
  const late = directory.fetchConference(SERVER, id)
  const found = { descriptor, end: null }
  expect(await Promise.all([preview, early, late])).toEqual([found, found, found])
  expect(requests).toHaveLength(1)
})

test("asks for a preview anew, since the creator may have announced an end", async () => {
  const { directory, requests, answer } = scene()
  const first = directory.fetchConference(SERVER, id)
  answer({ ok: true, descriptor })
  await first
  const preview = directory.fetchConference(SERVER, id, true)
  expect(requests).toHaveLength(2)
  const end = new Uint8Array(80)
  answer({ ok: true, descriptor, end })
  expect(await preview).toEqual({ descriptor, end })
  expect(await directory.fetchConference(SERVER, id)).toEqual({ descriptor, end })
  expect(requests).toHaveLength(2)
})

test.each<[string, BootstrapReply]>([
  ["a descriptor of another conference", { ok: true, descriptor: descriptor.with(0, 8) }],
  ["a refusal", { ok: false, code: "unknown-conference", message: "no such conference" }],
])("requests a descriptor anew after %s", async (_, lie) => {
  const { directory, requests, answer } = scene()
  const first = directory.fetchConference(SERVER, id).catch(() => null)
  answer(lie)
  await first
  const second = directory.fetchConference(SERVER, id)
  expect(requests).toHaveLength(2)
  answer({ ok: true, descriptor })
  expect(await second).toEqual({ descriptor, end: null })
})
