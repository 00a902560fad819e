import type { MemberId } from "@keymoot/transport"

/** `receivedBytes`: that have come, or have been read where a file is offered; `waiting`: for somebody who has it to be back. */
export type FileProgress = { readonly receivedBytes: number; readonly sizeBytes: number; readonly waiting: boolean }

export type FileOptions = {
  readonly signal?: AbortSignal
  /** About five times a second, while it moves. */
  readonly onProgress?: (progress: FileProgress) => void
}

/** `type`: a media type, the blob's own unless given. It is told to others, and proves nothing. */
export type OfferOptions = FileOptions & { readonly name: string; readonly type?: string }

/** A file that a member of the conference offers, as its ticket says. */
export interface SharedFile {
  /** Hex, 32 digits, random. */
  readonly id: string
  /** Text, at most 1024 characters: who has it can fetch the file from members of the conference, and read it. */
  readonly ticket: string
  /** Fit to be shown and to be saved under: no directories, no control characters, 255 bytes at most. */
  readonly name: string
  /** A media type, or empty. What its owner says, and nothing that has been checked. */
  readonly type: string
  readonly sizeBytes: number
  readonly owner: MemberId
  /** How much of it is here: all of it where it is offered, and once `fetch` has resolved. */
  keptBytes(): Promise<number>
  /**
   * Brings it here; resolves when all of it is, each chunk checked. What has come is kept over lost links, an abort and a
   * reload, and a later call goes on from there. Where its owner is away, it comes from another member that has all of it.
   * @throws KeymootError `file-unavailable`, `file-altered`, `storage-full`, `storage-unavailable`, `queue-full`, `aborted`, `closed`
   */
  fetch(options?: FileOptions): Promise<void>
  /** The content, about 1 MB at a time. Errors with `file-unavailable` where it has not been fetched. */
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>
  /** The content as a blob. @throws KeymootError `file-unavailable` before it has been fetched */
  blob(): Promise<Blob>
  /** Takes it off this device; its owner offers it no more. */
  remove(): Promise<void>
}

/**
 * Files from member to member, encrypted under a key of their own. A file goes to those who fetch it, and to nobody else.
 * What is said of it is its ticket: send that as a message, or put it into a document, and whoever may read it may fetch.
 */
export interface ConferenceFiles {
  /**
   * Offers a file of at most 512 MiB until this member leaves. Reads it once, for its hashes and for a sealed copy on this
   * device: with that it is offered over a reload too, as soon as its ticket has been opened again. Where there is no room for
   * one (it would take more than half of what is left), or with `localCopy: false`, it is offered as long as this page lives. In Node, `openAsBlob` of `node:fs` gives a file as a blob.
   * @throws KeymootError `too-large`, `invalid-argument` (empty), `file-unavailable` (cannot be read), `aborted`
   */
  offer(content: Blob, options: OfferOptions): Promise<SharedFile>
  /** Reads a ticket, and asks nobody. @throws KeymootError `invalid-argument` */
  open(ticket: string): SharedFile
}
