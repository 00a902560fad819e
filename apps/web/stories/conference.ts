import type {
  Admission,
  AdmissionState,
  ChannelMessage,
  ConferenceEvents,
  ConferenceHandle,
  ConferenceView,
  KeyAgreementName,
  KeyStructure,
  LinkPath,
  Member,
  ServerState,
  StorageState,
  ViewChange,
} from "@keymoot/core"
import { Awareness } from "y-protocols/awareness"
import { Doc } from "yjs"

export type Scene = {
  readonly names: readonly string[]
  readonly status?: ConferenceView["status"]
  readonly server?: ServerState
  readonly storage?: StorageState
  readonly path?: LinkPath
  readonly title?: string
  readonly admission?: Admission
  readonly admissionState?: Partial<AdmissionState>
  readonly keyAgreement?: KeyAgreementName
  /** Of all members; a picture of any of them fits every key agreement here. */
  readonly structure?: KeyStructure["kind"]
  /** By place in `names`. */
  readonly changedKey?: number
  readonly viewer?: boolean
  /** Nothing that is sent gets through. */
  readonly mute?: boolean
}
type Emit = <E extends keyof ConferenceEvents>(event: E, ...values: Parameters<ConferenceEvents[E]>) => void
type Story = {
  readonly handle: ConferenceHandle
  readonly members: readonly Member[]
  readonly emit: Emit
  readonly say: (index: number, text: string) => ChannelMessage
  readonly mark: (index: number, mark: object) => void
  readonly boardUnsent: () => void
  readonly boardComes: (index: number) => void
}

export const AT_MS = Date.UTC(2026, 0, 15, 9, 30)

/** A conference of which only the outside is there: what the screens read, and nothing that encrypts. The first name is mine. */
export function openStory({
  names,
  status = "secured",
  server = "up",
  storage = "kept",
  path,
  title = "",
  admission = { policy: "link" },
  admissionState = {},
  keyAgreement = "tgdh",
  structure = "tree",
  changedKey,
  viewer = false,
  mute = false,
}: Scene): Story {
  const members = names.map((name, index) => memberOf(index, name, { changedKey: index === changedKey, viewer }))
  const view: ConferenceView = { id: "v7", epoch: 7, status, members, securedAtMs: status === "secured" ? AT_MS : null }
  const listeners = new Map<string, Set<(...values: never[]) => void>>()
  const on = (event: string, listener: (...values: never[]) => void) => {
    const all = listeners.get(event) ?? new Set()
    listeners.set(event, all.add(listener))
    return () => void all.delete(listener)
  }
  const emit = (event: string, ...values: unknown[]) => {
    for (const listener of listeners.get(event) ?? []) listener(...(values as never[]))
  }
  const doc = new Doc()
  const board = {
    name: "board",
    doc,
    awareness: new Awareness(doc),
    memberOfClient: () => members[0],
    on: (event: string, listener: (...values: never[]) => void) => on(`board ${event}`, listener),
  }
  let sequence = 0
  function deliver(channel: string, index: number, text: string): ChannelMessage {
    const position = { epoch: 7, view: "v7", sequence: sequence++ }
    const id = `${members[index]!.id}/${sequence}`
    const sentAtMs = AT_MS + sequence * 20_000
    const message = { id, from: members[index]!, data: new Uint8Array(), text, sentAtMs, position, handedOver: false }
    emit(`message in ${channel}`, message)
    return message
  }
  const handle = {
    id: "5".repeat(32),
    title,
    self: members[0]!,
    view,
    server,
    storage,
    links: new Map(members.slice(1).map(({ id }) => [id, path ?? "direct"])),
    keyAgreement,
    admission,
    history: "everything",
    authenticity: "signature",
    admissionState: { waiting: false, vouched: true, knocks: [], ...admissionState },
    invitation: { url: `https://meet.example/c/${"5".repeat(32)}#${"s".repeat(66)}` },
    on,
    channel: (name: string) => ({
      name,
      on: (event: string, listener: (message: ChannelMessage) => void) => on(`${event} in ${name}`, listener),
      send: async (text: string) => (mute ? Promise.reject(new Error("mute")) : deliver(name, 0, text)),
    }),
    document: () => board,
    note: () => ({ read: async () => null, write: async () => {} }),
    conferenceCode: async () => "12345 67890 23456 78901 34567 89012 45678 90123 56789 01234 67890 12345",
    pairCode: async () => ({
      digits: Array.from({ length: 12 }, (_, i) => `${(i + 1) * 8231}`.padStart(5, "0").slice(-5)).join(" "),
      words: Array.from({ length: 18 }, (_, i) => ["umbrella", "cat", "strategy", "echo", "roof", "mountain"][i % 6]),
      scannable: "KEYMOOT:1:".padEnd(120, "A0B1C2"),
    }),
    keyStructure: async () => structureOf(structure, members),
    leave: async () => {},
  } as unknown as ConferenceHandle
  return {
    handle,
    members,
    emit: emit as Emit,
    say: (index, text) => deliver("chat", index, text),
    boardUnsent: () => emit("board unsent", { code: "too-large" }),
    boardComes: (index) => emit("board progress", { from: members[index]!, received: 100, count: 250 }),
    mark: (index, mark) => void deliver("chat-marks", index, JSON.stringify(mark)),
  }
}

/** A view in which some of those who were there are out of reach. */
export function without(story: Story, lost: readonly Member[]): [ConferenceView, ViewChange] {
  const members = story.members.filter((member) => !lost.includes(member))
  const change: ViewChange = { joined: [], left: [...lost], lost: [...lost], removed: [], cause: "left" }
  return [{ ...story.handle.view, id: "v8", epoch: 8, members }, change]
}

function memberOf(
  index: number,
  name: string,
  { changedKey, viewer }: { readonly changedKey: boolean; readonly viewer: boolean },
): Member {
  const id = `${index}`.padStart(32, "0") as Member["id"]
  const [mine, others] = viewer ? (["viewer", "host"] as const) : (["host", "editor"] as const)
  return {
    id,
    name,
    role: index === 0 ? mine : others,
    self: index === 0,
    verified: index === 1 && !changedKey,
    changedKey,
  }
}

/** The last of them is new. */
function structureOf(kind: KeyStructure["kind"], members: readonly Member[]): object {
  if (kind === "tree") return { kind, root: treeOf(members) }
  return { kind, seats: members.map((member, index) => ({ member, isNew: index === members.length - 1 })) }
}

function treeOf(members: readonly Member[], last = members.at(-1)!): object {
  const [member] = members
  if (members.length === 1) return { kind: "leaf", member, isNew: member?.id === last.id }
  const half = Math.ceil(members.length / 2)
  const [left, right] = [members.slice(0, half), members.slice(half)]
  return { kind: "branch", isNew: members.at(-1)?.id === last.id, left: treeOf(left, last), right: treeOf(right, last) }
}
