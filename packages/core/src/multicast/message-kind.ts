/** Kind of a payload in a batch. */
export const MessageKind = {
  /** A message of the application without a log. */
  message: 0,
  /** A message of the log, signed separately by its author. */
  logItem: 1,
  /** A piece of a history transfer. */
  logChunk: 2,
  /** A Yjs update. */
  documentUpdate: 3,
  /** A Yjs awareness update. */
  awareness: 4,
  /** A piece of a document transfer. */
  documentChunk: 5,
  /** Requests a new key from the lowest member, which alone may start a view of the same members. */
  refreshWish: 6,
  /** The present invitation's secret, for members that were admitted without it. */
  invitationSecret: 7,
  /** A piece of a message for some members, or of one that exceeds one message. */
  addressed: 8,
  /** A piece of a request to one member, or of its answer; `refusal`: there is no answer. */
  request: 9,
  response: 10,
  refusal: 11,
  /** Digest of a member's document after a quiet period: see `Comparison`. */
  documentDigest: 12,
  /** Clocks of the sender's document. It requests what comes after them. */
  documentWish: 13,
  /** A piece of a document change that exceeds one message; not compressed. */
  documentChange: 14,
} as const
export type MessageKind = (typeof MessageKind)[keyof typeof MessageKind]

/** Whether only editors may send this kind. Members reject it from a viewer. A function, so that pages leave it out. */
export function changesContent(kind: number): boolean {
  switch (kind) {
    // Cursors, keys, and answers to a request.
    case MessageKind.awareness:
    case MessageKind.refreshWish:
    case MessageKind.invitationSecret:
    case MessageKind.response:
    case MessageKind.refusal:
    case MessageKind.documentDigest:
    case MessageKind.documentWish:
      return false
    default:
      return true
  }
}

/** Whether this kind yields to others: transfers wait for messages and drawing. */
export function isBulk(kind: number): boolean {
  return kind === MessageKind.logChunk || kind === MessageKind.documentChunk || kind === MessageKind.documentChange
}

/** Prefix of internal channels, which applications cannot open. */
export const RESERVED_PREFIX = "keymoot/"
export const KEY_CHANNEL = `${RESERVED_PREFIX}key`
export const LOG_CHANNEL = `${RESERVED_PREFIX}log`

export function documentChannel(name: string): string {
  return `${RESERVED_PREFIX}document/${name}`
}
