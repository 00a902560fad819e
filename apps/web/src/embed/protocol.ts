/**
 * Messages between the page in a frame and the page around it. The frame never says what is written or drawn, a name,
 * a link or a key. The parent can only say hello: no message of it changes anything.
 */
export type EmbedMessage =
  /** Posted to the allowed origins. The parent answers with a greeting. */
  | { readonly type: "ready" }
  | { readonly type: "joined" }
  | { readonly type: "people"; readonly count: number }
  | { readonly type: "security"; readonly state: SecurityState; readonly verified: number }
  | { readonly type: "left" }
  /** `reason`: a code of the package, such as `conference-over` or `removed`. */
  | { readonly type: "ended"; readonly reason: string }

export type SecurityState = "alone" | "agreeing" | "encrypted"

/** State that is reported to the parent. */
export type EmbedState =
  | { readonly at: "outside" }
  | { readonly at: "ended"; readonly reason: string }
  | { readonly at: "inside"; readonly people: number; readonly security: SecurityState; readonly verified: number }

/** The version of these messages. */
export const EMBED_VERSION = 1

/** @param before null for a parent that has just said hello: it learns the state in full */
export function messagesBetween(before: EmbedState | null, after: EmbedState): readonly EmbedMessage[] {
  const wasInside = before?.at === "inside" ? before : null
  if (after.at === "ended") return before?.at === "ended" ? [] : [{ type: "ended", reason: after.reason }]
  if (after.at === "outside") return wasInside === null ? [] : [{ type: "left" }]
  const { people, security, verified } = after
  const messages: EmbedMessage[] = wasInside === null ? [{ type: "joined" }] : []
  if (wasInside?.people !== people) messages.push({ type: "people", count: people })
  if (wasInside?.security !== security || wasInside.verified !== verified)
    messages.push({ type: "security", state: security, verified })
  return messages
}

export function isHello(data: unknown): boolean {
  if (typeof data !== "object" || data === null) return false
  const { keymoot, type } = data as { readonly keymoot?: unknown; readonly type?: unknown }
  return keymoot === EMBED_VERSION && type === "hello"
}

/**
 * The origins that a Content-Security-Policy lets frame its page. None without the directive, although browsers would
 * then let anybody: a proxy may have dropped the header.
 */
export function embedOriginsOf(policy: string | null): readonly string[] {
  const directives = (policy ?? "").split(";").map((directive) => directive.trim().split(/\s+/u))
  const [, ...sources] = directives.find(([name]) => name === "frame-ancestors") ?? []
  return sources.filter((source) => URL.canParse(source) && new URL(source).origin === source)
}
