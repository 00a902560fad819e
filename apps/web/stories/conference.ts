import type {
  Admission,
  AdmissionState,
  ChannelMessage,
  ConferenceEvents,
  ConferenceHandle,
  ConferenceView,
  Diagnostics,
  KeyAgreementName,
  KeyStructure,
  LinkPath,
  MediaEvents,
  MediaParticipant,
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
  /** The picture of all members; a picture of any of them fits every key agreement here. */
  readonly structure?: KeyStructure["kind"]
  /** By place in `names`. */
  readonly changedKey?: number
  readonly viewer?: boolean
  /** Members in the call, this one included. */
  readonly inCall?: number
  /** By index of the other members in the call. */
  readonly inCallAs?: readonly Partial<Omit<MediaParticipant, "tracks" | "member">>[]
  /** The first other member in the call shares a screen. */
  readonly screen?: boolean
  /** Nothing that is sent arrives. */
  readonly mute?: boolean
}
type Emit = <E extends keyof ConferenceEvents>(event: E, ...values: Parameters<ConferenceEvents[E]>) => void
type Story = {
  readonly handle: ConferenceHandle
  readonly members: readonly Member[]
  readonly emit: Emit
  readonly emitMedia: <E extends keyof MediaEvents>(event: E, ...values: Parameters<MediaEvents[E]>) => void
  readonly say: (index: number, text: string) => ChannelMessage
  /** The last but one sends the earlier messages of the last, who is unknown here. */
  readonly passOn: (text: string, authorKnown: boolean) => void
  readonly mark: (index: number, mark: object) => void
  readonly poll: (index: number, message: object) => ChannelMessage
  readonly boardUnsent: () => void
  readonly boardComes: (index: number) => void
}

export const AT_MS = Date.UTC(2026, 0, 15, 9, 30)

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
  changedKey,
  viewer = false,
  inCall = 0,
  inCallAs = [],
  screen = false,
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
  function deliver(
    channel: string,
    index: number,
    text: string,
    handedOver: ChannelMessage["handedOver"] = null,
  ): ChannelMessage {
    const position = { epoch: 7, view: "v7", sequence: sequence++ }
    const id = `${members[index]!.id}/${sequence}`
    const sentAtMs = AT_MS + sequence * 20_000
    const message = { id, from: members[index]!, data: new Uint8Array(), text, sentAtMs, position, handedOver }
    emit(`message in ${channel}`, message)
    return message
  }
  const participants = members.slice(1, inCall).map((member, index): MediaParticipant => {
    const picture = index === 0 ? (["microphone", "camera"] as const).map((use) => [use, pictureTrack()] as const) : []
    const shared = index === 0 && screen ? ([["screen", pictureTrack()]] as const) : []
    return {
      member,
      tracks: new Map([...picture, ...shared]),
      connection: "connected",
      quality: "good",
      undecryptable: false,
      speaking: index === 0,
      ...inCallAs[index],
    }
  })
  const media = {
    state: "out",
    participants,
    published: new Map(),
    enter: async () => {},
    leave: () => {},
    publish: async () => {},
    unpublish: async () => {},
    subscribe: () => {},
    request: async () => {},
    level: () => 0,
    statistics: async () => [],
    on: (event: string, listener: (...values: never[]) => void) => on(`media ${event}`, listener),
  }
  const handle: ConferenceHandle = {
    media,
    id: "5".repeat(32),
    title,
    timeFrame: { opensAtMs: AT_MS, endsAtMs: AT_MS + 3_600_000, latestEndMs: AT_MS + 90_000_000 },
    copyOnly: false,
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
    boardUnsent: () => emit("board unsent", { code: "too-large" }),
    boardComes: (index) => emit("board progress", { from: members[index]!, received: 100, count: 250 }),
    poll: (index, message) => deliver("polls", index, JSON.stringify(message)),
    mark: (index, mark) => void deliver("chat-marks", index, JSON.stringify(mark)),
  }
}

/** As after a while in which people came, one did not respond for a moment, and one was lost. */
function diagnosticsOf({ self, server, view, links }: ConferenceHandle): Diagnostics {
  const [first, second] = [...links.keys()]
  const record = { installedAtMs: AT_MS, securedAtMs: AT_MS + 120, members: view.members.length, joined: [], gone: [] }
  const others = [...links].map(([member, path], index) => ({
    member,
    path,
    roundTripMs: path === "direct" ? 12 + 30 * index : null,
    unacknowledgedBytes: index * 12_000,
    windowBytes: 65_536,
  }))
  return {
    self: self.id,
    server,
    view: { epoch: view.epoch, members: view.members.length, status: view.status },
    links: others,
    queues: [
      { queue: "outbox", bytes: 12_345, bytesMax: 33_554_432 },
      { queue: "unstable", bytes: 0, bytesMax: 4_194_304 },
      { queue: "decryption", bytes: 0, bytesMax: 8_388_608 },
    ],
    views: [
      { ...record, epoch: 3, cause: "entered" },
      { ...record, epoch: 4, cause: "lost", ...(first && { gone: [{ member: first, departure: "silent" }] }) },
      { ...record, epoch: 5, cause: "merged", securedAtMs: null, ...(first && { joined: [first] }) },
      { ...record, epoch: 6, cause: "lost", ...(second && { gone: [{ member: second, departure: "coordinator" }] }) },
      { ...record, epoch: 7, cause: "rekeyed" },
    ],
    security: [{ atMs: AT_MS, code: "obstruction", member: first ?? null }],
    trace: { entries: [], dropped: 0 },
  }
}

/** A camera in front of which nothing moves. */
function pictureTrack(): MediaStreamTrack {
  const canvas = document.createElement("canvas")
  Object.assign(canvas, { width: 320, height: 180 })
  const context = canvas.getContext("2d")!
  const draw = (): void => {
    context.fillStyle = "#8a5a2b"
    context.fillRect(0, 0, 320, 180)
    requestAnimationFrame(draw)
  }
  draw()
  return canvas.captureStream().getVideoTracks()[0]!
}

/** A view without some of the former members, who are unreachable. */
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
  const role = index === 0 ? mine : others
  const mayDecide = !viewer && index > 0
  return {
    id,
    name,
    publicKey: id,
    role,
    rank: role === "host" ? Math.max(0, index - 1) : null,
    mayRemove: mayDecide,
    maySetRole: mayDecide,
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
