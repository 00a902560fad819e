import type { ChannelMessage, ConferenceHandle, ErrorCode, SharedFile } from "@keymoot/core"
import { KeymootError } from "@keymoot/core"
import { mayBePicture, previewOf } from "../files/preview.ts"
import type { Readable } from "../store.ts"
import { store } from "../store.ts"
import { save } from "../ui/save.ts"
import type { Entry } from "./order.ts"

/** Tickets of files, each the text of one message. */
const FILES_CHANNEL = "files"
/** Files of mine that wait to be shared; further ones are refused. */
const SHARING_MAX = 20
/** Pictures drawn and kept for showing; beyond it the oldest is a file again that can be saved. */
const PREVIEWS_MAX = 100

/** What this page has of a file. `waiting`: for somebody who has it. */
export type FileState =
  | { readonly kind: "away"; readonly keptBytes: number }
  | { readonly kind: "coming"; readonly receivedBytes: number; readonly waiting: boolean }
  | { readonly kind: "here" }
  | { readonly kind: "failed"; readonly code: ErrorCode }

/** A file of mine on its way into the conversation. */
export type Sharing = {
  readonly key: number
  readonly name: string
  readonly sizeBytes: number
  readonly readBytes: number
  readonly failed: ErrorCode | null
}

export type SessionFiles = {
  readonly states: Readable<ReadonlyMap<string, FileState>>
  /** Addresses of pictures drawn anew, by the file's id. */
  readonly previews: Readable<ReadonlyMap<string, string>>
  readonly sharing: Readable<readonly Sharing[]>
  share(files: readonly File[]): void
  /** Of one that is being read, or that failed. */
  discard(key: number): void
  /** Fetches what is missing; null if that cannot be done now. */
  bring(file: SharedFile): Promise<Blob | null>
  /** Fetches what is missing, and saves the file. */
  save(file: SharedFile): Promise<void>
  /** What has come is kept. */
  cancel(file: SharedFile): void
  /** Takes these messages of mine, each of a file that I share, out of everybody's log: `forget` follows on all devices. */
  erase(messages: readonly string[]): Promise<void>
}

type Told = {
  readonly received: (message: ChannelMessage, file: SharedFile) => void
  readonly invalid: (message: ChannelMessage) => void
  readonly find: (message: string) => Entry | undefined
  /** Their authors have taken these messages back. */
  readonly erased: (messages: readonly string[]) => void
  /** Something is being shared that a closed page would lose; returns the release. */
  readonly hold: () => () => void
}

export function openFiles(handle: ConferenceHandle, told: Told, signal: AbortSignal): SessionFiles {
  const states = store<ReadonlyMap<string, FileState>>(new Map())
  const previews = store<ReadonlyMap<string, string>>(new Map())
  const sharing = store<readonly Sharing[]>([])
  const fetches = new Map<string, AbortController>()
  const offers = new Map<number, AbortController>()
  const channel = handle.channel(FILES_CHANNEL, { history: true })
  let nextKey = 1
  let last: Promise<void> = Promise.resolve()

  channel.on("message", receive, { signal })
  channel.on("erased", takeBack, { signal })
  signal.addEventListener("abort", () => {
    for (const url of previews.get().values()) URL.revokeObjectURL(url)
    for (const running of [...fetches.values(), ...offers.values()]) running.abort()
  })

  function receive(message: ChannelMessage): void {
    try {
      const file = handle.files.open(message.text)
      told.received(message, file)
      void look(file)
    } catch {
      told.invalid(message)
    }
  }

  /** Whoever shared a file and deletes that takes the file with it, here and, since each page does this, everywhere. */
  function takeBack(messages: readonly string[]): void {
    for (const id of messages) {
      const entry = told.find(id)
      // Somebody else's ticket can be repeated by anybody, and taken back.
      if (entry?.kind === "file" && entry.file.owner === entry.message.from.id) forget(entry.file)
    }
    told.erased(messages)
  }

  function forget(file: SharedFile): void {
    fetches.get(file.id)?.abort()
    setPreview(file.id, null)
    // What cannot be removed now goes with the rest when the conference is left.
    file.remove().catch(() => undefined)
  }

  function setState(file: SharedFile, state: FileState): void {
    if (!signal.aborted) states.set(new Map(states.get()).set(file.id, state))
  }

  /** Small pictures come by themselves; of everything else only what is here already is looked up. */
  async function look(file: SharedFile): Promise<void> {
    if (states.get().has(file.id)) return
    setState(file, { kind: "away", keptBytes: 0 })
    const keptBytes = await file.keptBytes().catch(() => 0)
    setState(file, keptBytes === file.sizeBytes ? { kind: "here" } : { kind: "away", keptBytes })
    if (mayBePicture(file) && (await fetch(file))) await show(file)
  }

  async function show(file: SharedFile): Promise<void> {
    const picture = await file.blob().then(previewOf, () => null)
    if (picture === null || signal.aborted) return
    setPreview(file.id, URL.createObjectURL(picture))
    const [oldest] = previews.get().keys()
    if (previews.get().size > PREVIEWS_MAX && oldest !== undefined) setPreview(oldest, null)
  }

  function setPreview(id: string, url: string | null): void {
    const next = new Map(previews.get())
    const former = next.get(id)
    if (former !== undefined) URL.revokeObjectURL(former)
    if (url === null) next.delete(id)
    else next.set(id, url)
    previews.set(next)
  }

  /** Whether all of it is here. */
  async function fetch(file: SharedFile): Promise<boolean> {
    if (states.get().get(file.id)?.kind === "here") return true
    if (fetches.has(file.id)) return false
    const calledOff = new AbortController()
    fetches.set(file.id, calledOff)
    const onProgress = ({ receivedBytes, waiting }: { receivedBytes: number; waiting: boolean }): void =>
      setState(file, { kind: "coming", receivedBytes, waiting })
    onProgress({ receivedBytes: await file.keptBytes().catch(() => 0), waiting: false })
    try {
      await file.fetch({ signal: calledOff.signal, onProgress })
      setState(file, { kind: "here" })
      return true
    } catch (error) {
      const code = codeOf(error)
      const keptBytes = await file.keptBytes().catch(() => 0)
      setState(file, code === "aborted" ? { kind: "away", keptBytes } : { kind: "failed", code })
      return false
    } finally {
      fetches.delete(file.id)
    }
  }

  function update(key: number, change: Partial<Sharing> | null): void {
    sharing.set(
      sharing.get().flatMap((item) => (item.key !== key ? [item] : change === null ? [] : [{ ...item, ...change }])),
    )
  }

  async function offer(key: number, content: File): Promise<void> {
    const calledOff = offers.get(key)
    if (!calledOff || calledOff.signal.aborted) return
    const release = told.hold()
    try {
      const file = await handle.files.offer(content, {
        name: content.name,
        signal: calledOff.signal,
        onProgress: ({ receivedBytes }) => update(key, { readBytes: receivedBytes }),
      })
      receive(await channel.send(file.ticket, { service: "agreed" }))
      update(key, null)
    } catch (error) {
      const code = codeOf(error)
      update(key, code === "aborted" ? null : { failed: code })
    } finally {
      offers.delete(key)
      release()
    }
  }

  return {
    states,
    previews,
    sharing,
    share(files) {
      for (const content of files) {
        const item = { key: nextKey++, name: content.name, sizeBytes: content.size, readBytes: 0 }
        const full = sharing.get().length >= SHARING_MAX
        sharing.set([...sharing.get(), { ...item, failed: full ? "queue-full" : null }])
        if (full) return
        offers.set(item.key, new AbortController())
        last = last.then(() => offer(item.key, content))
      }
    },
    discard(key) {
      offers.get(key)?.abort()
      update(key, null)
    },
    bring: async (file) => ((await fetch(file)) ? file.blob().catch(() => null) : null),
    async save(file) {
      if (!(await fetch(file))) return
      try {
        // As bytes of no kind: no browser opens them in this page's name.
        save(new Blob([await file.blob()], { type: "application/octet-stream" }), file.name)
      } catch (error) {
        setState(file, { kind: "failed", code: codeOf(error) })
      }
    },
    cancel: (file) => fetches.get(file.id)?.abort(),
    erase: (messages) => channel.erase(messages),
  }
}

function codeOf(error: unknown): ErrorCode {
  return error instanceof KeymootError ? error.code : "internal"
}
