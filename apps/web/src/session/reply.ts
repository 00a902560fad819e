import { MESSAGE_ID_LENGTH_MAX } from "./marks.ts"

/**
 * A reply names the message it answers by its id, before its own text and in the same signed message. It holds no
 * quote: each page shows its own copy of that message, so nobody can put words into another person's mouth.
 */
const MARK = "\u0001reply "

/** @param to the id of the answered message; null for a message that answers none */
export function encodeReply(to: string | null, text: string): string {
  return to === null ? text : `${MARK}${to}\n${text}`
}

/** A text that is not a valid reply is shown as it is. */
export function decodeReply(sent: string): { readonly to: string | null; readonly text: string } {
  const end = sent.startsWith(MARK) ? sent.indexOf("\n") : -1
  const to = sent.slice(MARK.length, Math.max(end, 0))
  if (to === "" || to.length > MESSAGE_ID_LENGTH_MAX || /\s/u.test(to)) return { to: null, text: sent }
  return { to, text: sent.slice(end + 1) }
}
