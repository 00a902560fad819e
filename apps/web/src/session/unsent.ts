import type { Note } from "@keymoot/core"
import type { Readable, Store } from "../store.ts"
import type { Pending } from "./sending.ts"

type Unsent = { readonly draft: string; readonly pending: readonly string[] }

/**
 * Keeps what was typed and not delivered on this device, so that a page that dies loses none of it. `interrupted` is told
 * of each message that an earlier life of the page was still sending: whether it arrived is for the person to see, so it is
 * not sent again by itself.
 */
export async function keepUnsent(
  note: Note,
  draft: Store<string>,
  pending: Readable<readonly Pending[]>,
  signal: AbortSignal,
  interrupted: (text: string) => void,
): Promise<void> {
  const former = read(await note.read().catch(() => null))
  if (signal.aborted) return
  for (const text of former.pending) interrupted(text)
  if (draft.get() === "") draft.set(former.draft)

  let writing = false
  let written = JSON.stringify(former)
  const write = async (): Promise<void> => {
    if (writing) return
    writing = true
    for (let next = current(); next !== written && !signal.aborted; next = current()) {
      written = next
      await note.write(next).catch(() => undefined)
    }
    writing = false
  }
  const current = (): string =>
    JSON.stringify({ draft: draft.get(), pending: pending.get().map(({ text }) => text) } satisfies Unsent)
  const unsubscribes = [draft, pending].map((source) => source.subscribe(() => void write()))
  signal.addEventListener("abort", () => {
    for (const unsubscribe of unsubscribes) unsubscribe()
  })
  void write()
}

/** It was written by this page, maybe by another version of it. */
function read(text: string | null): Unsent {
  try {
    const { draft, pending } = (JSON.parse(text ?? "{}") ?? {}) as Partial<Unsent>
    return {
      draft: typeof draft === "string" ? draft : "",
      pending: Array.isArray(pending) ? pending.filter((each) => typeof each === "string") : [],
    }
  } catch {
    return { draft: "", pending: [] }
  }
}
