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
  const [preview, early] = [directory.fetchDescriptor(SERVER, id), directory.fetchDescriptor(SERVER, id)]
  answer({ ok: true, descriptor })
  const late = directory.fetchDescriptor(SERVER, id)
  expect(await Promise.all([preview, early, late])).toEqual([descriptor, descriptor, descriptor])
  expect(requests).toHaveLength(1)
})

test.each<[string, BootstrapReply]>([
  ["a descriptor of another conference", { ok: true, descriptor: descriptor.with(0, 8) }],
  ["a refusal", { ok: false, code: "unknown-conference", message: "no such conference" }],
])("requests a descriptor anew after %s", async (_, lie) => {
  const { directory, requests, answer } = scene()
  const first = directory.fetchDescriptor(SERVER, id).catch(() => null)
  answer(lie)
  await first
  const second = directory.fetchDescriptor(SERVER, id)
  expect(requests).toHaveLength(2)
  answer({ ok: true, descriptor })
  expect(await second).toEqual(descriptor)
})
