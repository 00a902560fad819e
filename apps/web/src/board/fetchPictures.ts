import type { SharedFile } from "@keymoot/core"
import type { FileState } from "../session/files.ts"
import type { PictureNews } from "../session/pictures.ts"
import { PICTURE_BYTES_MAX } from "./limits.ts"
import type { PictureBudget } from "./pictureBudget.ts"

/** What the fetching of pictures needs of the conference. */
export type PictureSources = {
  /** Throws for what is no ticket. */
  readonly open: (ticket: string) => SharedFile
  /** Null if nobody here has it now. */
  readonly bring: (file: SharedFile) => Promise<Blob | null>
  readonly stateOf: (id: string) => FileState | undefined
  /** False for what is no picture. */
  readonly show: (id: string, content: Blob) => Promise<boolean>
  readonly tell: (news: Pick<PictureNews, "coming" | "percent" | "missing" | "beyond">) => void
  readonly onInvalid: () => void
}

export type FetchedPictures = {
  /** It is here, made by this page, and is not to be fetched. */
  has(file: Pick<SharedFile, "id" | "owner" | "sizeBytes">): void
  /** It is seen on the board: fetches it, once. `ticket`: what the board's document says about it. */
  want(id: string, ticket: unknown): void
  /** Whoever has come may have what nobody had, and the places are divided anew. */
  lookForMissing(): void
  /** Tells the news: more of something has come, or all that is seen has been asked for. */
  count(): void
}

/** The pictures of others: as many of them as a page holds, each from whoever has it. */
export function fetchPictures(sources: PictureSources, budget: PictureBudget): FetchedPictures {
  /** Here, being fetched, or found to be none: by id, with the file if there is one to fetch. */
  const wanted = new Map<string, SharedFile | null>()
  const missing = new Set<string>()
  /** There is no place for these. */
  const beyond = new Map<string, SharedFile>()

  function want(id: string, ticket: unknown): void {
    // Without a ticket: it comes with the next piece of the document.
    if (ticket === undefined || wanted.has(id) || beyond.has(id)) return
    const file = read(ticket)
    if (file?.id === id && file.sizeBytes <= PICTURE_BYTES_MAX) return admit(file)
    wanted.set(id, null)
    sources.onInvalid()
  }

  function admit(file: SharedFile): void {
    const { id, owner, sizeBytes } = file
    if (!budget.hasRoom(owner, sizeBytes)) return void beyond.set(id, file)
    beyond.delete(id)
    budget.take(owner, sizeBytes)
    wanted.set(id, file)
    void bring(file)
  }

  function read(ticket: unknown): SharedFile | null {
    try {
      return typeof ticket === "string" ? sources.open(ticket) : null
    } catch {
      return null
    }
  }

  async function bring(file: SharedFile): Promise<void> {
    missing.delete(file.id)
    count()
    const content = await sources.bring(file)
    if (content === null) missing.add(file.id)
    else {
      wanted.set(file.id, null)
      if (!(await sources.show(file.id, content))) sources.onInvalid()
    }
    count()
  }

  function count(): void {
    const coming = [...wanted.values()].filter((file) => file !== null && !missing.has(file.id)) as SharedFile[]
    const receivedBytes = coming.reduce((sum, { id }) => {
      const state = sources.stateOf(id)
      return sum + (state?.kind === "coming" ? state.receivedBytes : 0)
    }, 0)
    const sizeBytes = coming.reduce((sum, file) => sum + file.sizeBytes, 0)
    const percent = sizeBytes === 0 ? 0 : Math.min(99, Math.floor((100 * receivedBytes) / sizeBytes))
    sources.tell({ coming: coming.length, percent, missing: missing.size, beyond: beyond.size })
  }

  return {
    has({ id, owner, sizeBytes }) {
      wanted.set(id, null)
      budget.take(owner, sizeBytes)
    },
    want,
    lookForMissing: () => {
      for (const id of missing) {
        const file = wanted.get(id)
        if (file) void bring(file)
      }
      for (const file of beyond.values()) admit(file)
      count()
    },
    count,
  }
}
