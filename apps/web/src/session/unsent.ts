import type { Note } from "@keymoot/core"
import { problemOf } from "../problem.ts"
import type { Readable } from "../store.ts"
import type { Pending, Sending } from "./sending.ts"

/** Delay before a note that could not be read or written is tried again. */
export const RETRY_MS = 5000

type Undelivered = Pick<Pending, "text" | "sinceMs">
/** `replyTo`: the message that the draft answers. */
type Unsent = { readonly draft: string; readonly replyTo: string | null; readonly pending: readonly Undelivered[] }

/**
 * Stores typed and undelivered text on this device, so that a crash of the page loses none of it. `interrupted`
 * receives each message that an earlier run of the page was still sending. Its delivery is unknown, so the person
 * decides and it is not resent automatically.
 */
export async function keepUnsent(
  note: Note,
  { draft, replyingTo }: Pick<Sending, "draft" | "replyingTo">,
  pending: Readable<readonly Pending[]>,
  signal: AbortSignal,
  interrupted: (message: Undelivered) => void,
): Promise<void> {
  const { text, delayed } = await textOf(note, signal)
  const former = read(text)
  if (signal.aborted) return
  for (const message of former.pending) interrupted(message)
  const typed = draft.get()
  if (typed === "" || delayed) {
    draft.set([former.draft, typed].filter((part) => part !== "").join("\n"))
    replyingTo.set(replyingTo.get() ?? former.replyTo)
  }

  let writing = false
  /** null: a write has failed, and the note may hold anything. */
  let written: string | null = JSON.stringify(former)
  const write = async (): Promise<void> => {
    if (writing) return
    writing = true
    // A sent text leaves the draft in the turn in which it becomes pending. In between it would be stored as both.
    await Promise.resolve()
    for (let next = current(); next !== written && !signal.aborted; next = current()) {
      // A call that the engine refuses would be refused again.
      const isStored = await note.write(next).catch(() => true)
      written = isStored ? next : null
      if (!isStored) await retryTime()
    }
    writing = false
  }
  const current = (): string =>
    JSON.stringify({
      draft: draft.get(),
      replyTo: replyingTo.get(),
      pending: pending.get().map(({ text, sinceMs }) => ({ text, sinceMs })),
    } satisfies Unsent)
  const unsubscribes = [draft, replyingTo, pending].map((source) => source.subscribe(() => void write()))
  signal.addEventListener("abort", () => {
    for (const unsubscribe of unsubscribes) unsubscribe()
  })
  void write()
}

/**
 * A note that can't be read may hold text, which a write would replace. So it is read again until that succeeds.
 * `delayed`: the first attempt failed, and the person may have typed a sentence since.
 */
async function textOf(note: Note, signal: AbortSignal): Promise<{ text: string | null; delayed: boolean }> {
  for (let delayed = false; !signal.aborted; delayed = true) {
    try {
      return { text: await note.read(), delayed }
    } catch (error) {
      if (problemOf(error) !== "storage-unavailable") break
      await retryTime()
    }
  }
  return { text: null, delayed: true }
}

function retryTime(): Promise<void> {
  return new Promise((done) => setTimeout(done, RETRY_MS))
}

/** Written by this page, possibly by another version of it. */
function read(text: string | null): Unsent {
  try {
    const { draft, replyTo, pending } = (JSON.parse(text ?? "{}") ?? {}) as Partial<Unsent>
    return {
      draft: typeof draft === "string" ? draft : "",
      replyTo: typeof replyTo === "string" ? replyTo : null,
      pending: Array.isArray(pending) ? (pending as unknown[]).flatMap(readUndelivered) : [],
    }
  } catch {
    return { draft: "", replyTo: null, pending: [] }
  }
}

function readUndelivered(value: unknown): readonly Undelivered[] {
  // Earlier versions kept no time. Such a message is taken for no delivered one.
  if (typeof value === "string") return [{ text: value, sinceMs: Number.MAX_SAFE_INTEGER }]
  const { text, sinceMs } = (value ?? {}) as Partial<Undelivered>
  return typeof text === "string" && typeof sinceMs === "number" ? [{ text, sinceMs }] : []
}
