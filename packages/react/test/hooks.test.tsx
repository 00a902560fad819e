import { root as element } from "./page.ts"
import { Conference, type ConferenceHandle } from "@keymoot/core"
import { type ConferenceStore, createConferenceStore } from "@keymoot/core/store"
import { type ReactNode, StrictMode } from "react"
import { createRoot, type Root } from "react-dom/client"
import { renderToStaticMarkup } from "react-dom/server"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { Room, securedWith } from "../../core/test/conference-run/harness.ts"
import {
  type ChannelInUse,
  type MediaInUse,
  useChannel,
  useConference,
  useDocument,
  useMedia,
  useMembers,
  useTrack,
} from "../src/index.ts"

let room: Room
let root: Root
beforeEach(() => {
  room = new Room()
  root = createRoot(element)
})
afterEach(async () => {
  root.unmount()
  await room.close()
})

const render = (node: ReactNode): void => root.render(<StrictMode>{node}</StrictMode>)
const shown = (): string => element.innerHTML

function storeOf(name: string, url: string) {
  const asked = { opened: 0, entered: 0 }
  const store = createConferenceStore({
    openIdentity: () => {
      asked.opened++
      return room.identity(name)
    },
    enter: (identity, signal) => {
      asked.entered++
      return Conference.join({ url, identity, signal })
    },
  })
  return { store, asked }
}

function App({ store }: { store: ConferenceStore | null }) {
  const state = useConference(store)
  if (state.status === "failed") return <p>{state.error.code}</p>
  if (state.status === "closed") return <p>{state.reason}</p>
  return state.status === "open" ? <Names conference={state.conference} /> : <p>{state.status}</p>
}

function Names({ conference }: { conference: ConferenceHandle }) {
  const members = useMembers(conference)
  return (
    <p>
      {members
        .map(({ name }) => name)
        .toSorted()
        .join(", ")}
    </p>
  )
}

test("enters once under StrictMode, and says goodbye when the component is unmounted", async () => {
  const ada = await room.create("Ada")
  const { store, asked } = storeOf("Bob", ada.invitation.url)
  render(<App store={null} />)
  await expect.poll(shown).toBe("<p>idle</p>")
  render(<App store={store} />)
  await expect.poll(shown).toBe("<p>Ada, Bob</p>")
  expect(asked).toEqual({ opened: 1, entered: 1 })

  const lost: number[] = []
  ada.on("view", (_view, change) => lost.push(change.lost.length))
  render(<p>elsewhere</p>)
  await securedWith(ada, 1)
  expect(lost.at(-1)).toBe(0)
})

test("shows who comes and who leaves", async () => {
  const ada = await room.create("Ada")
  render(<Names conference={ada} />)
  await expect.poll(shown).toBe("<p>Ada</p>")
  const bob = await room.join("Bob", ada.invitation.url)
  await expect.poll(shown).toBe("<p>Ada, Bob</p>")
  await bob.leave()
  await expect.poll(shown).toBe("<p>Ada</p>")
})

test("shows by its code why entering failed, and why a conference is over", async () => {
  render(<App store={storeOf("Bob", "https://meet.example/c/nothing").store} />)
  await expect.poll(shown).toBe("<p>invalid-link</p>")
  const ada = await room.create("Ada")
  render(<App store={storeOf("Bob", ada.invitation.url).store} />)
  const view = await securedWith(ada, 2)
  await ada.remove(view.members.find(({ self }) => !self)!.id)
  await expect.poll(shown).toBe("<p>removed</p>")
})

test("enters nothing when rendered on a server", () => {
  const { store, asked } = storeOf("Bob", "https://meet.example/c/nothing")
  expect(renderToStaticMarkup(<App store={store} />)).toBe("<p>idle</p>")
  expect(asked).toEqual({ opened: 0, entered: 0 })
})

let chat: ChannelInUse
function Chat({ conference, name = "chat" }: { conference: ConferenceHandle; name?: string }) {
  chat = useChannel(conference, name, { history: true })
  return (
    <p>
      {name}: {chat.messages.map(({ text }) => text).join(", ")} {chat.error?.code}
    </p>
  )
}

test("shows messages in their order, also those that came before the component", async () => {
  const ada = await room.create("Ada")
  await ada.channel("chat", { history: true }).send("one")
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([securedWith(bob, 2), bob.channel("chat", { history: true }).send("two")])
  render(<Chat conference={bob} />)
  await expect.poll(shown).toContain("one, two")
  expect(await chat.send("three")).toMatchObject({ text: "three" })
  await expect.poll(shown).toContain("one, two, three")
})

test("keeps the error of a message that cannot be sent until the next one is sent", async () => {
  const ada = await room.create("Ada")
  render(<Chat conference={ada} />)
  await expect.poll(shown).toContain("chat:")
  const { send } = chat
  expect(await send(new Uint8Array(200_000))).toBeNull()
  await expect.poll(shown).toContain("too-large")
  expect(chat.send).toBe(send)
  render(<Chat conference={ada} name="another" />)
  await expect.poll(shown).toBe("<p>another:  </p>")
  render(<Chat conference={ada} />)
  await expect.poll(shown).toContain("too-large")
  await send("small")
  await expect.poll(shown).toBe("<p>chat: small </p>")
})

function Board({ conference }: { conference: ConferenceHandle }) {
  const { doc, awareness } = useDocument(conference, "board")
  const pointers = [...awareness.getStates().values()].map(({ pointer }) => pointer)
  return (
    <p>
      {doc.getArray<string>("shapes").toArray().join(", ")} | {pointers.join("")}
    </p>
  )
}

test("shows what others draw and where they point", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  await securedWith(bob, 2)
  render(<Board conference={ada} />)
  const { doc, awareness } = bob.document("board")
  doc.getArray("shapes").push(["circle"])
  awareness.setLocalStateField("pointer", "here")
  await expect.poll(shown).toBe("<p>circle | here</p>")
})

let call: MediaInUse
function Call({ conference }: { conference: Pick<ConferenceHandle, "media"> }) {
  call = useMedia(conference)
  const track = call.participants[0]?.tracks.get("microphone") ?? null
  return (
    <p>
      {call.state} {call.participants.map(({ member }) => member.name).join()} {call.error?.code}
      <audio ref={useTrack(track)} />
    </p>
  )
}

test("shows why a call cannot be entered, and forgets it with another conference", async () => {
  const ada = await room.create("Ada")
  render(<Call conference={ada} />)
  await expect.poll(shown).toContain("out")
  // Node has no peer connections of its own.
  expect(await call.enter()).toBe(false)
  await expect.poll(shown).toContain("out  unsupported-browser")
  expect(await call.publish("microphone", {} as MediaStreamTrack)).toBe(false)
  await expect.poll(shown).toContain("out  closed")
  render(<Call conference={await room.create("Bob")} />)
  await expect.poll(shown).not.toContain("closed")
})

test("shows the people in a call, and plays their tracks", async () => {
  vi.stubGlobal(
    "MediaStream",
    class {
      readonly tracks: readonly unknown[]
      constructor(tracks: readonly unknown[]) {
        this.tracks = tracks
      }
    },
  )
  const track = { kind: "audio" } as MediaStreamTrack
  const listeners = new Set<() => void>()
  const media = {
    state: "out",
    participants: [] as unknown[],
    published: new Map(),
    on: (_: string, listener: () => void) => (listeners.add(listener), () => listeners.delete(listener)),
    enter: async () => change({ state: "in" }),
    leave: () => change({ state: "out", participants: [] }),
  }
  const change = (to: object): void => {
    Object.assign(media, to)
    for (const listener of listeners) listener()
  }
  render(<Call conference={{ media } as never} />)
  await expect.poll(shown).toContain("out")
  expect(await call.enter()).toBe(true)
  await expect.poll(shown).toContain("in")
  change({ participants: [{ member: { name: "Bob" }, tracks: new Map([["microphone", track]]) }] })
  await expect.poll(shown).toContain("in Bob")
  const played = (): unknown => (element.querySelector("audio") as unknown as { srcObject: unknown }).srcObject
  await expect.poll(played).toMatchObject({ tracks: [track] })
  call.leave()
  await expect.poll(shown).not.toContain("Bob")
  expect(played()).toBeNull()
  vi.unstubAllGlobals()
})
