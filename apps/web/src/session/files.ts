import type { ChannelMessage, ConferenceHandle, ErrorCode, Member, SharedFile } from "@keymoot/core"
import { KeymootError } from "@keymoot/core"
import { drawInTurn, readInTurn } from "../files/turns.ts"
import { largeOf, mayBePicture, previewOf } from "../files/preview.ts"
import { selfFetching, SMALL_FILE_BYTES_MAX } from "../files/selfFetching.ts"
import { type Readable, store } from "../store.ts"
import { save } from "../ui/save.ts"
import type { Entry } from "./order.ts"

/** Tickets of files, each the text of one message. */
const FILES_CHANNEL = "files"
/** My files that wait to be shared; further ones are refused. */
export const SHARING_MAX = 20
/** My files that were not shared, as the chat lists them; the oldest goes. */
export const FAILED_SHARES_MAX = 100
/** Files whose state is kept, as many as the chat remembers; the oldest that is not being fetched is forgotten. */
export const FILE_STATES_MAX = 2000
/** Pictures drawn and kept for display; beyond it the oldest is shown as a file again. */
const PREVIEWS_MAX = 100

/** The state of a file on this page. `waiting`: for a member that has it. */
export type FileState =
  | { readonly kind: "away"; readonly keptBytes: number }
  | { readonly kind: "coming"; readonly receivedBytes: number; readonly waiting: boolean }
  | { readonly kind: "here" }
  | { readonly kind: "failed"; readonly code: ErrorCode }

/** My file that is being shared. */
export type Sharing = {
  readonly key: number
  readonly name: string
  readonly sizeBytes: number
  readonly readBytes: number
  readonly failed: ErrorCode | null
  /** Further files that were not shared either, listed as one with this. */
  readonly others: number
}

export type SessionFiles = {
  readonly states: Readable<ReadonlyMap<string, FileState>>
  /** Addresses of redrawn pictures, by the file's id. */
  readonly previews: Readable<ReadonlyMap<string, string>>
  readonly sharing: Readable<readonly Sharing[]>
  share(files: readonly File[]): void
  /** The name of a file that is being read, or that failed. */
  discard(key: number): void
  /** Fetches the missing parts; null if that is impossible now. */
  bring(file: SharedFile): Promise<Blob | null>
  /** Fetches the missing parts, and saves the file. */
  save(file: SharedFile): Promise<void>
  /** Received parts are kept. */
  cancel(file: SharedFile): void
  /** Redrawn for the whole window; null if it is not here or not a picture. */
  picture(file: SharedFile): Promise<Blob | null>
  /** My files that others do not fetch by themselves: they may be gone with me. */
  readonly largeOwn: () => number
  /** Deletes my messages, each of a file that I share, from everybody's log: `forget` follows on all devices. */
  erase(messages: readonly string[]): Promise<void>
}

type Hooks = {
  readonly received: (message: ChannelMessage, file: SharedFile) => void
  readonly invalid: (message: ChannelMessage) => void
  /** Whether this device fetches small files unasked. */
  readonly fetchesSmall: () => boolean
  /** The members that the page shows at the moment. */
  readonly shownMembers: () => readonly Member["id"][]
  readonly find: (message: string) => Entry | undefined
  /** The authors have deleted these messages. */
  readonly erased: (messages: readonly string[]) => void
  /** Marks a share that closing the page would lose; returns the release. */
  readonly hold: () => () => void
}

export function openFiles(handle: ConferenceHandle, hooks: Hooks, signal: AbortSignal): SessionFiles {
  const states = store<ReadonlyMap<string, FileState>>(new Map())
  const previews = store<ReadonlyMap<string, string>>(new Map())
  const sharing = store<readonly Sharing[]>([])
  const fetches = new Map<string, AbortController>()
  const offers = new Map<number, AbortController>()
  const channel = handle.channel(FILES_CHANNEL, { history: true })
  const unasked = selfFetching()
  /** Files that are looked for, and not deleted meanwhile. */
  const looking = new Set<string>()
  const largeOwn = new Set<string>()
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
      const file = handle.files.open(message.text, message.from.id)
      hooks.received(message, file)
      if (message.from.self && file.sizeBytes > SMALL_FILE_BYTES_MAX && largeOwn.size < FILE_STATES_MAX)
        largeOwn.add(file.id)
      void look(file)
    } catch {
      hooks.invalid(message)
    }
  }

  /**
   * Removes the files of erased messages from this device; every page does the same. Only the author can erase a
   * message, and the author owns the file. The file's id is bound to its owner. So nobody can remove another member's
   * file.
   */
  function takeBack(messages: readonly string[]): void {
    for (const id of messages) {
      const entry = hooks.find(id)
      if (entry?.kind === "file") forget(entry.file)
    }
    hooks.erased(messages)
  }

  function forget(file: SharedFile): void {
    fetches.get(file.id)?.abort()
    looking.delete(file.id)
    largeOwn.delete(file.id)
    setPreview(file.id, null)
    // A file that cannot be removed now is removed when the person leaves the conference.
    file.remove().catch(() => undefined)
  }

  function setState(file: SharedFile, state: FileState): void {
    if (signal.aborted) return
    const next = new Map(states.get()).set(file.id, state)
    if (next.size > FILE_STATES_MAX) {
      const oldest = [...next.keys()].find((id) => !fetches.has(id))
      if (oldest !== undefined) next.delete(oldest)
    }
    states.set(next)
  }

  /**
   * Small files and pictures are fetched unasked, within bounds, so that they are still here when their owner is gone.
   * For all other files only the local state is read.
   */
  async function look(file: SharedFile): Promise<void> {
    if (states.get().has(file.id)) return
    looking.add(file.id)
    setState(file, { kind: "away", keptBytes: 0 })
    const keptBytes = await file.keptBytes().catch(() => 0)
    if (!looking.has(file.id)) return
    const isHere = keptBytes === file.sizeBytes
    setState(file, isHere ? { kind: "here" } : { kind: "away", keptBytes })
    const isWanted = isHere || ((isSmall(file) || mayBePicture(file)) && hooks.fetchesSmall() && unasked.take(file))
    if (isWanted && (await fetch(file)) && mayBePicture(file)) await show(file)
    looking.delete(file.id)
  }

  async function show(file: SharedFile): Promise<void> {
    // The turn covers the drawing. Otherwise the contents of many pictures would wait for it in memory.
    const reading = readInTurn(async () => {
      const content = await file.blob()
      return drawInTurn(() => previewOf(content))
    })
    const picture = await reading.catch(() => null)
    if (picture === null || signal.aborted || !looking.has(file.id)) return
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

  /** Whether the whole file is here. */
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

  function list(items: readonly Sharing[]): void {
    const beyond = new Set(items.filter(isFailed).slice(0, -FAILED_SHARES_MAX))
    sharing.set(items.filter((item) => !beyond.has(item)))
  }

  function update(key: number, change: Partial<Sharing> | null): void {
    list(sharing.get().flatMap((item) => (item.key !== key ? [item] : change === null ? [] : [{ ...item, ...change }])))
  }

  async function offer(key: number, content: File, readers: readonly Member["id"][]): Promise<void> {
    const calledOff = offers.get(key)
    if (!calledOff) return
    const release = hooks.hold()
    let unsent: SharedFile | null = null
    try {
      unsent = await handle.files.offer(content, {
        name: content.name,
        signal: calledOff.signal,
        onProgress: ({ receivedBytes }) => update(key, { readBytes: receivedBytes }),
      })
      // The ticket waits for a key. Until then the person can still withdraw it.
      receive(await channel.send(unsent.ticket, { service: "agreed", readers, signal: calledOff.signal }))
      update(key, null)
    } catch (error) {
      const code = codeOf(error)
      // Without a sent ticket nothing leads to the copy. After `closed` the ticket may have been sent.
      if (code !== "closed") unsent?.remove().catch(() => undefined)
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
      const readers = hooks.shownMembers()
      for (const [at, content] of files.entries()) {
        const key = nextKey++
        const item = { key, name: content.name, sizeBytes: content.size, readBytes: 0 }
        const before = sharing.get()
        if (before.filter((each) => !isFailed(each)).length >= SHARING_MAX)
          return list([...before, { ...item, failed: "queue-full", others: files.length - at - 1 }])
        list([...before, { ...item, failed: null, others: 0 }])
        offers.set(key, new AbortController())
        last = last.then(() => offer(key, content, readers))
      }
    },
    discard(key) {
      offers.get(key)?.abort()
      offers.delete(key)
      update(key, null)
    },
    bring: async (file) => ((await fetch(file)) ? file.blob().catch(() => null) : null),
    async save(file) {
      if (!(await fetch(file))) return
      try {
        // As bytes without a type: no browser opens them with this page's origin.
        save(new Blob([await file.blob()], { type: "application/octet-stream" }), file.name)
      } catch (error) {
        setState(file, { kind: "failed", code: codeOf(error) })
      }
    },
    picture: (file) => file.blob().then(largeOf, () => null),
    largeOwn: () => largeOwn.size,
    cancel: (file) => fetches.get(file.id)?.abort(),
    erase: (messages) => channel.erase(messages),
  }
}

function isSmall({ sizeBytes }: SharedFile): boolean {
  return sizeBytes <= SMALL_FILE_BYTES_MAX
}

function isFailed({ failed }: Sharing): boolean {
  return failed !== null
}

function codeOf(error: unknown): ErrorCode {
  return error instanceof KeymootError ? error.code : "internal"
}
