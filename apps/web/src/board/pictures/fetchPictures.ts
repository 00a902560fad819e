import type { MemberId, SharedFile } from "@keymoot/core"
import type { FileState } from "../../session/files.ts"
import type { PictureNews } from "../../session/pictures.ts"
import { PICTURE_BYTES_MAX } from "../elements/limits.ts"
import type { PictureBudget } from "./pictureBudget.ts"

/** Refusals of one owner after which a pass judges no more of its pictures: a member can leave thousands waiting. */
export const REFUSALS_MAX = 100

/** The conference's interface for fetching pictures. */
export type PictureSources = {
  /** Throws for an invalid ticket. */
  readonly open: (ticket: string, owner: MemberId) => SharedFile
  /** The member that put this picture's ticket on the board; null if it is absent, or has been reloaded since. */
  readonly authorOf: (id: string) => MemberId | null
  /** Null if nobody here has it now. */
  readonly bring: (file: SharedFile) => Promise<Blob | null>
  readonly stateOf: (id: string) => FileState | undefined
  /** False if it is not a picture. */
  readonly show: (id: string, content: Blob) => Promise<boolean>
  readonly tell: (news: Pick<PictureNews, "coming" | "percent" | "missing" | "beyond">) => void
  readonly onInvalid: () => void
}

export type FetchedPictures = {
  /** This page made the picture, so it is not fetched. */
  has(file: Pick<SharedFile, "id" | "owner" | "sizeBytes">): void
  /** The picture is visible on the board: fetches it, once. `ticket`: its entry in the board's document. */
  want(id: string, ticket: unknown): void
  /** Takes the files of all elements that are not deleted. Others' pictures can have the places of the rest. */
  onBoard(ids: ReadonlySet<string>): void
  /** Whether the picture was made by this page or requested. */
  isKnown(id: string): boolean
  /** A newcomer may have a picture that nobody had, and the places are divided anew. */
  lookForMissing(): void
  /** Reports progress, or that all visible pictures have been requested. */
  count(): void
}

/** The pictures of others: as many as a page can hold, each from any member that has it. */
export function fetchPictures(sources: PictureSources, budget: PictureBudget): FetchedPictures {
  /** Present, in flight, or found to be no picture: by id, with the file if there is one to fetch. */
  const wanted = new Map<string, SharedFile | null>()
  const missing = new Set<string>()
  /** Pictures beyond the places. */
  const beyond = new Map<string, SharedFile>()

  function want(id: string, ticket: unknown): void {
    // Without a ticket: it arrives with the next piece of the document.
    if (ticket === undefined || wanted.has(id) || beyond.has(id)) return
    const file = read(ticket)
    // Members that are here answer for their own pictures. Nobody can add a picture in another member's name, or use
    // another's places.
    const author = sources.authorOf(id)
    const isOwners = author === null || author === file?.owner
    if (file?.id === id && isOwners && file.sizeBytes <= PICTURE_BYTES_MAX) return void admit(file, author)
    wanted.set(id, null)
    sources.onInvalid()
  }

  /** Whether it has a place. */
  function admit(file: SharedFile, owner: MemberId | null): boolean {
    const { id, sizeBytes } = file
    if (!budget.hasRoom(owner, sizeBytes)) {
      beyond.set(id, file)
      return false
    }
    beyond.delete(id)
    budget.take({ id, owner, bytes: sizeBytes, isPlaced: true })
    wanted.set(id, file)
    void bring(file)
    return true
  }

  /** Places only decrease in a pass: after a refusal none of this owner's pictures of that size or more has one. */
  function admitWaiting(): void {
    const refusals = new Map<MemberId | null, { readonly count: number; readonly bytes: number }>()
    for (const file of beyond.values()) {
      const owner = sources.authorOf(file.id)
      const { count, bytes } = refusals.get(owner) ?? { count: 0, bytes: Infinity }
      if (count >= REFUSALS_MAX || file.sizeBytes >= bytes) continue
      if (!admit(file, owner)) refusals.set(owner, { count: count + 1, bytes: file.sizeBytes })
    }
  }

  function read(ticket: unknown): SharedFile | null {
    try {
      const { ticket: text, owner } = ticket as Record<string, unknown>
      return typeof text === "string" && typeof owner === "string" ? sources.open(text, owner as MemberId) : null
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
      budget.take({ id, owner, bytes: sizeBytes, isPlaced: false })
    },
    want,
    onBoard(ids) {
      for (const id of beyond.keys()) if (!ids.has(id)) beyond.delete(id)
      if (budget.keepPlaced(ids)) admitWaiting()
    },
    isKnown: (id) => wanted.has(id),
    lookForMissing: () => {
      for (const id of missing) {
        const file = wanted.get(id)
        if (file) void bring(file)
      }
      admitWaiting()
      count()
    },
    count,
  }
}
