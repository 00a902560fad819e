import type { ChannelMessage, ConferenceHandle, SharedFile } from "@keymoot/core"
import { expect, it } from "vitest"
import { openFiles } from "../src/session/files.ts"
import type { Entry } from "../src/session/order.ts"

/** A conference of which only the channel of files is there. A ticket says "file owner". */
function open() {
  const listeners = new Map<string, (value: never) => void>()
  const removed: string[] = []
  const shown: Entry[] = []
  const told: string[][] = []
  const handle = {
    channel: () => ({ on: (event: string, listener: (value: never) => void) => listeners.set(event, listener) }),
    files: {
      open(ticket: string) {
        const [id = "", owner] = ticket.split(" ")
        const remove = async (): Promise<void> => void removed.push(id)
        return {
          id,
          owner,
          name: id,
          type: "",
          sizeBytes: 10,
          keptBytes: async () => 10,
          remove,
        } as unknown as SharedFile
      },
    },
  } as unknown as ConferenceHandle
  openFiles(
    handle,
    {
      received: (message, file) => void shown.push({ kind: "file", id: message.id, message, file }),
      invalid: () => undefined,
      find: (id) => shown.find((entry) => entry.id === id),
      erased: (messages) => void told.push([...messages]),
      hold: () => () => undefined,
    },
    new AbortController().signal,
  )
  const share = (id: string, from: string, ticket: string): void =>
    listeners.get("message")?.({ id, from: { id: from }, text: ticket } as unknown as ChannelMessage as never)
  const takeBack = (...messages: string[]): void => listeners.get("erased")?.(messages as never)
  return { share, takeBack, removed, told }
}

it("removes a file when whoever shares it takes that back", () => {
  const { share, takeBack, removed, told } = open()
  share("m1", "ada", "plan ada")
  takeBack("m1")
  expect(removed).toEqual(["plan"])
  expect(told).toEqual([["m1"]])
})

it("keeps a file whose ticket somebody else repeats and takes back", () => {
  const { share, takeBack, removed, told } = open()
  share("m1", "ada", "plan ada")
  share("m2", "mallory", "plan ada")
  takeBack("m2")
  expect(removed).toEqual([])
  expect(told, "the repetition goes all the same").toEqual([["m2"]])
})
