import type { BootstrapEvent, BootstrapReply } from "../port/port.ts"

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null
const isText = (value: unknown): value is string => typeof value === "string"
const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array

/** Whether the fields of an event have their types. */
const FIELDS: { readonly [T in BootstrapEvent["type"]]: (event: Fields) => boolean } = {
  "bootstrap-state": ({ state, connection }) =>
    (state === "up" || state === "down") && (connection === undefined || isText(connection)),
  "bootstrap-reply": ({ request, reply }) => Number.isSafeInteger(request) && isReply(reply),
  "room-advertisement": ({ room, from, advertisement }) => isText(room) && isText(from) && isBytes(advertisement),
  "room-signal": ({ room, from, envelope }) => isText(room) && isText(from) && isBytes(envelope),
}

/**
 * Whether this is an event of a bootstrap. An embedder's own signalling may pass on what its server sends. Without this
 * check that server could report events of peer connections, such as a fingerprint.
 */
export function isBootstrapEvent(event: unknown): event is BootstrapEvent {
  if (!isFields(event) || !isText(event["type"]) || !isText(event["server"])) return false
  return Object.hasOwn(FIELDS, event["type"]) && FIELDS[event["type"] as BootstrapEvent["type"]](event)
}

function isReply(reply: unknown): reply is BootstrapReply {
  if (!isFields(reply)) return false
  if (reply["ok"] === false) return isText(reply["code"]) && isText(reply["message"])
  const { descriptor, end, ice } = reply
  const isOptional = (bytes: unknown): boolean => bytes === undefined || isBytes(bytes)
  return reply["ok"] === true && isOptional(descriptor) && isOptional(end) && (ice === undefined || isGrant(ice))
}

function isGrant(ice: unknown): boolean {
  if (!isFields(ice) || !isTexts(ice["stun"])) return false
  const { turn } = ice
  if (turn === undefined) return true
  if (!isFields(turn)) return false
  const { urls, username, credential, lifetimeMs } = turn
  return isTexts(urls) && isText(username) && isText(credential) && Number.isFinite(lifetimeMs)
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText)
}
