import { afterEach, expect, test } from "vitest"
import { Conference } from "../../src/client/conference.ts"
import type { Identity } from "../../src/client/identity.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import { type ConferenceSource, createConferenceStore, documentStore, memberStore } from "../../src/store/index.ts"
import { Room, securedWith } from "../conference-run/harness.ts"

let room = new Room()
afterEach(async () => {
  await room.close()
  room = new Room()
})

/** Bob's way in, on one device, with what it has been asked for. */
function bobsWay(url: string) {
  const store = createMemoryStore()
  const asked = { opened: 0, entered: 0, closed: 0 }
  const source: ConferenceSource = {
    openIdentity: async () => {
      const identity = await room.openIdentity("Bob", store, `Bob's life ${++asked.opened}`)
      return closing(identity, () => asked.closed++)
    },
    enter: (identity, signal) => {
      asked.entered++
      return Conference.join({ url, identity, signal })
    },
  }
  return { asked, source, store: createConferenceStore(source) }
}

function closing(identity: Identity, onClose: () => void): Identity {
  const close = identity.close.bind(identity)
  identity.close = () => {
    onClose()
    return close()
  }
  return identity
}

const open = (store: ReturnType<typeof createConferenceStore>) => {
  const state = store.getSnapshot()
  return state.status === "open" ? state : null
}

test("enters with the first subscriber and says goodbye after the last", async () => {
  const ada = await room.create("Ada")
  const { store, asked } = bobsWay(ada.invitation.url)
  expect(store.getSnapshot()).toEqual({ status: "idle" })
  expect(asked.opened).toBe(0)

  const seen: string[] = []
  const off = store.subscribe(() => void seen.push(store.getSnapshot().status))
  const offAgain = store.subscribe(() => undefined)
  await expect.poll(() => open(store)?.view.members.length).toBe(2)
  expect(seen.slice(0, 2)).toEqual(["entering", "open"])
  const lost: number[] = []
  ada.on("view", (_view, change) => lost.push(change.lost.length))

  off()
  off()
  await Promise.resolve()
  expect(open(store)).not.toBeNull()
  offAgain()
  await securedWith(ada, 1)
  expect(lost.at(-1)).toBe(0)
  expect(store.getSnapshot()).toEqual({ status: "idle" })
  await expect.poll(() => asked).toEqual({ opened: 1, entered: 1, closed: 1 })
})

test("stays in when a subscriber goes and comes back in one turn", async () => {
  const ada = await room.create("Ada")
  const { store, asked } = bobsWay(ada.invitation.url)
  store.subscribe(() => undefined)()
  const off = store.subscribe(() => undefined)
  await expect.poll(() => open(store)?.view.status).toBe("secured")
  off()
  const offAgain = store.subscribe(() => undefined)
  await Promise.resolve()
  expect(open(store)?.view.status).toBe("secured")
  expect(asked).toEqual({ opened: 1, entered: 1, closed: 0 })
  offAgain()
  await expect.poll(() => asked.closed).toBe(1)
})

test("enters again when somebody subscribes after it has left", async () => {
  const ada = await room.create("Ada")
  const { store, asked } = bobsWay(ada.invitation.url)
  const off = store.subscribe(() => undefined)
  await expect.poll(() => open(store)?.view.members.length).toBe(2)
  off()
  await Promise.resolve()
  // Before the first stay is over: the device may be in the conference once only.
  const offAgain = store.subscribe(() => undefined)
  await expect.poll(() => open(store)?.view.members.length).toBe(2)
  expect(asked).toEqual({ opened: 2, entered: 2, closed: 1 })
  offAgain()
  await expect.poll(() => asked.closed).toBe(2)
})

test("enters nothing when its subscriber is gone before the identity is open", async () => {
  const ada = await room.create("Ada")
  const { store, asked } = bobsWay(ada.invitation.url)
  store.subscribe(() => undefined)()
  await expect.poll(() => asked).toEqual({ opened: 1, entered: 0, closed: 1 })
  expect(store.getSnapshot()).toEqual({ status: "idle" })
})

test("says by its code why entering failed, and closes the identity", async () => {
  const { store, asked } = bobsWay("https://meet.example/c/nothing")
  store.subscribe(() => undefined)
  await expect.poll(() => store.getSnapshot()).toMatchObject({ status: "failed", error: { code: "invalid-link" } })
  expect(asked.closed).toBe(1)
})

test("calls an error of the application internal and keeps its cause", async () => {
  const cause = new TypeError("no name")
  const store = createConferenceStore({
    openIdentity: () => Promise.reject(cause),
    enter: () => Promise.reject(cause),
  })
  store.subscribe(() => undefined)
  await expect.poll(() => store.getSnapshot()).toMatchObject({ status: "failed", error: { code: "internal", cause } })
})

test("says why the conference is over when a host removes this member", async () => {
  const ada = await room.create("Ada")
  const { store } = bobsWay(ada.invitation.url)
  const off = store.subscribe(() => undefined)
  await expect.poll(() => open(store)?.view.members.length).toBe(2)
  const { conference } = open(store)!
  await ada.remove(conference.self.id)
  await expect.poll(() => store.getSnapshot()).toEqual({ status: "closed", reason: "removed", conference })
  off()
})

test("ends a subscription with its signal", async () => {
  const ada = await room.create("Ada")
  const { store, asked } = bobsWay(ada.invitation.url)
  const subscribed = new AbortController()
  store.subscribe(() => undefined, { signal: subscribed.signal })
  await expect.poll(() => open(store)).not.toBeNull()
  subscribed.abort()
  await expect.poll(() => asked.closed).toBe(1)
  store.subscribe(() => undefined, { signal: subscribed.signal })
  expect(store.getSnapshot()).toEqual({ status: "idle" })
})

test("shows members and documents as they change", async () => {
  const ada = await room.create("Ada")
  const members = memberStore(ada)
  expect(memberStore(ada)).toBe(members)
  const names = () => members.getSnapshot().map(({ name }) => name)
  const board = documentStore(ada.document("board"))
  expect(documentStore(ada.document("board"))).toBe(board)
  const changes: number[] = []
  board.subscribe(() => void changes.push(board.getSnapshot().doc.getMap("shapes").size))
  const before = board.getSnapshot()
  expect(board.getSnapshot()).toBe(before)

  const bob = await room.join("Bob", ada.invitation.url)
  await expect.poll(() => names().toSorted()).toEqual(["Ada", "Bob"])
  bob.document("board").doc.getMap("shapes").set("a", 1)
  await expect.poll(() => changes).toEqual([1])
  expect(board.getSnapshot()).not.toBe(before)

  const drawn = board.getSnapshot()
  bob.document("board").awareness.setLocalStateField("pointer", 1)
  await expect.poll(() => board.getSnapshot()).not.toBe(drawn)
})

test("says of a document that it is unsent for as long as its writer is a viewer", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  await securedWith(bob, 2)
  await ada.setRole(bob.self.id, "viewer")
  await expect.poll(() => bob.self.role).toBe("viewer")
  const board = documentStore(bob.document("board"))
  bob.document("board").doc.getMap("shapes").set("a", 1)
  await expect.poll(() => board.getSnapshot().unsent?.code).toBe("not-permitted")
  await ada.setRole(bob.self.id, "editor")
  await expect.poll(() => board.getSnapshot().unsent).toBeNull()
})
