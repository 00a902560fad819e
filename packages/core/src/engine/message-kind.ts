/** What a payload in a batch is; the channel says whose. */
export const MessageKind = {
  /** A message of the application, not kept. */
  message: 0,
  /** A message signed by its author for itself, kept in the log. */
  logItem: 1,
  /** A piece of a log handed over. */
  logChunk: 2,
  /** A Yjs update. */
  documentUpdate: 3,
  /** A Yjs awareness update. */
  awareness: 4,
  /** A piece of a document handed over. */
  documentChunk: 5,
  /** To the lowest member, which alone may begin a view of the same members: somebody wants a new key. */
  refreshWish: 6,
  /** The present invitation's secret, for those who were let in without it. */
  invitationSecret: 7,
  /** A piece of a message for some members, or of one that is too large for one message. */
  addressed: 8,
  /** A piece of a request to one member, and of its answer; `refusal`: it gives none. */
  request: 9,
  response: 10,
  refusal: 11,
} as const
export type MessageKind = (typeof MessageKind)[keyof typeof MessageKind]

/** A cursor is no content, nor is a key, nor what somebody was asked for. */
const CHANGES_NOTHING: ReadonlySet<number> = new Set([
  MessageKind.awareness,
  MessageKind.refreshWish,
  MessageKind.invitationSecret,
  MessageKind.response,
  MessageKind.refusal,
])

/** What a viewer may not send, and nobody takes from one. */
export function changesContent(kind: number): boolean {
  return !CHANGES_NOTHING.has(kind)
}

/** What is handed over waits for what is said and drawn. */
export function isBulk(kind: number): boolean {
  return kind === MessageKind.logChunk || kind === MessageKind.documentChunk
}

/** Channels with this prefix are ours; applications cannot open them. */
export const RESERVED_PREFIX = "keymoot/"
export const KEY_CHANNEL = `${RESERVED_PREFIX}key`
export const LOG_CHANNEL = `${RESERVED_PREFIX}log`

export function documentChannel(name: string): string {
  return `${RESERVED_PREFIX}document/${name}`
}
