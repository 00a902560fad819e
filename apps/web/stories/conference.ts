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
  MediaEvents,
  Member,
  ServerState,
  StorageState,
  TimeFrame,
  ViewChange,
} from "@keymoot/core"
import { Awareness } from "y-protocols/awareness"
import { Doc } from "yjs"
import { AT_MS, diagnosticsOf } from "./diagnostics.ts"
import { openShared, ticketOf } from "./files.ts"
import { type CallScene, type InCallAs, mediaOf } from "./media.ts"
import { memberOf, structureOf } from "./members.ts"

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
  /** The picture of all members; a picture of any of them fits every key agreement here. */
  readonly structure?: KeyStructure["kind"]
  /** By place in `names`: values that differ from the usual ones. */
  readonly as?: readonly Partial<Member>[]
  readonly viewer?: boolean
  /** Members in the call, this one included. */
  readonly inCall?: number
  readonly inCallAs?: InCallAs
  readonly call?: CallScene
  /** This device's copy after the end. */
  readonly copyOnly?: boolean
  readonly timeFrame?: Partial<TimeFrame>
  /** Elements of the board, complete as Excalidraw needs them. */
  readonly board?: readonly { readonly id: string }[]
  /** Nothing that is sent arrives. */
  readonly mute?: boolean
}
type Emit = <E extends keyof ConferenceEvents>(event: E, ...values: Parameters<ConferenceEvents[E]>) => void
export type Story = {
  readonly handle: ConferenceHandle
  readonly members: readonly Member[]
  readonly emit: Emit
  readonly emitMedia: <E extends keyof MediaEvents>(event: E, ...values: Parameters<MediaEvents[E]>) => void
  readonly say: (index: number, text: string) => ChannelMessage
  /** The last but one sends the earlier messages of the last, who is unknown here. */
  readonly passOn: (text: string, authorKnown: boolean) => void
  readonly mark: (index: number, mark: object) => void
  readonly poll: (index: number, message: object) => ChannelMessage
  /** Shares a picture. */
  readonly share: (index: number, name: string) => void
  /** A host brings everybody to its part of the board. */
  readonly bring: (index: number) => void
  readonly boardUnsent: () => void
  readonly boardComes: (index: number) => void
}

/** A conference without its inside: the values that the screens read, and no encryption. The first name is mine. */
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
  as = [],
  viewer = false,
  inCall = 0,
  inCallAs = [],
  call = {},
  mute = false,
  copyOnly = false,
  timeFrame = {},
  board: elements = [],
}: Scene): Story {
  const members = names.map((name, index) => memberOf(index, name, { viewer, ...as[index] }))
  const here = copyOnly ? members.slice(0, 1) : members
  const view: ConferenceView = {
    id: "v7",
    epoch: 7,
    status,
    members: here,
    namesakes: here.filter(({ name }) => names.filter((each) => each === name).length > 1).map(({ id }) => id),
    securedAtMs: status === "secured" ? AT_MS : null,
  }
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
  for (const element of elements) doc.getMap("elements").set(element.id, element)
  const board = {
    name: "board",
    doc,
    awareness: new Awareness(doc),
    restored: Promise.resolve(),
    memberOfClient: (client: number) => members[client === doc.clientID ? 0 : client],
    on: (event: string, listener: (...values: never[]) => void) => on(`board ${event}`, listener),
  }
  let sequence = 0
  function deliver(
    channel: string,
    index: number,
    text: string,
    transferred: ChannelMessage["transferred"] = null,
  ): ChannelMessage {
    const position = { epoch: 7, view: "v7", sequence: sequence++ }
    const id = `${members[index]!.id}/${sequence}`
    const sentAtMs = AT_MS + sequence * 20_000
    const message = { id, from: members[index]!, data: new Uint8Array(), text, sentAtMs, position, transferred }
    emit(`message in ${channel}`, message)
    return message
  }
  const media = mediaOf(members.slice(1, inCall), inCallAs, call, on)
  const handle: ConferenceHandle = {
    media,
    id: "5".repeat(32),
    title,
    timeFrame: { opensAtMs: AT_MS, endsAtMs: AT_MS + 3_600_000, latestEndMs: AT_MS + 90_000_000, ...timeFrame },
    copyOnly,
    self: members[0]!,
    view,
    server,
    storage,
    otherVersions: [],
    links: new Map(members.slice(1).map(({ id }) => [id, path ?? "direct"])),
    keyAgreement,
    admission,
    history: "everything",
    authenticity: "signature",
    postQuantum: "off",
    cipher: "aes-256-gcm",
    admissionState: {
      waiting: false,
      hostHere: false,
      vouched: true,
      knocks: [],
      messages: [],
      endsAtMs: AT_MS + 3_600_000,
      maySetEnd: true,
      ...admissionState,
    },
    invitation: { url: `https://meet.example/c/${"5".repeat(32)}#${"s".repeat(66)}` },
    on,
    channel: (name: string) => ({
      name,
      on: (event: string, listener: (message: ChannelMessage) => void) => on(`${event} in ${name}`, listener),
      send: async (text: string) => (mute ? Promise.reject(new Error("mute")) : deliver(name, 0, text)),
    }),
    document: () => board,
    files: { open: openShared },
    setEnd: async () => {},
    note: () => ({ read: async () => null, write: async () => {} }),
    conferenceCode: async () => "12345 67890 23456 78901 34567 89012 45678 90123 56789 01234 67890 12345",
    pairCode: async () => ({
      digits: Array.from({ length: 12 }, (_, i) => `${(i + 1) * 8231}`.padStart(5, "0").slice(-5)).join(" "),
      words: Array.from({ length: 18 }, (_, i) => ["umbrella", "cat", "strategy", "echo", "roof", "mountain"][i % 6]),
      scannable: "KEYMOOT:1:".padEnd(120, "A0B1C2"),
    }),
    keyStructure: async () => structureOf(structure, members),
    diagnostics: async () => diagnosticsOf(handle),
    leave: async () => {},
  } as unknown as ConferenceHandle
  return {
    handle,
    members,
    emit: emit as Emit,
    emitMedia: (event, ...values) => emit(`media ${event}`, ...values),
    say: (index, text) => deliver("chat", index, text),
    passOn: (text, authorKnown) => void deliver("chat", members.length - 1, text, { by: members.at(-2)!, authorKnown }),
    share: (index, name) => void deliver("files", index, ticketOf(name)),
    bring: (index) => {
      const { awareness } = board
      for (const number of [0, 1]) {
        awareness.states.set(index, { bring: number })
        awareness.emit("change", [{ added: [], updated: [index], removed: [] }, "story"])
      }
    },
    boardUnsent: () => emit("board unsent", { code: "too-large" }),
    boardComes: (index) => emit("board progress", { from: members[index]!, received: 100, count: 250 }),
    poll: (index, message) => deliver("polls", index, JSON.stringify(message)),
    mark: (index, mark) => void deliver("chat-marks", index, JSON.stringify(mark)),
  }
}

/** A view without some of the former members, who are unreachable. */
export function without(story: Story, lost: readonly Member[]): [ConferenceView, ViewChange] {
  const members = story.members.filter((member) => !lost.includes(member))
  const change: ViewChange = { joined: [], left: [...lost], lost: [...lost], removed: [], cause: "left" }
  return [{ ...story.handle.view, id: "v8", epoch: 8, members }, change]
}
