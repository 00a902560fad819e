import type { MemberId } from "@keymoot/transport"

/**
 * `receivedBytes`: bytes that arrived, or for an offered file that were read; `waiting`: for a member with the file to
 * return.
 */
export type FileProgress = { readonly receivedBytes: number; readonly sizeBytes: number; readonly waiting: boolean }

export type FileOptions = {
  readonly signal?: AbortSignal
  /** Called about five times a second during the transfer. */
  readonly onProgress?: (progress: FileProgress) => void
}

/** `type`: media type; by default the blob's own. It is sent to others unverified. */
export type OfferOptions = FileOptions & { readonly name: string; readonly type?: string }

/** A file that a member of the conference offers, as described by its ticket. */
export interface SharedFile {
  /**
   * Hex, 32 digits: a hash of the conference, the owner and the ticket. Nobody can create a second file with the same
   * id, so anything bound to this id applies to no other file.
   */
  readonly id: string
  /** Text of at most 1024 characters. Its holder can fetch the file from members of the conference and decrypt it. */
  readonly ticket: string
  /** Safe to show and to save under: no directories, no control characters, at most 255 bytes. */
  readonly name: string
  /** Media type, or empty. It is the owner's claim and unverified. */
  readonly type: string
  readonly sizeBytes: number
  /** Author of the message that carried the ticket, as passed to `open`. */
  readonly owner: MemberId
  /** Bytes of the file on this device. All of them if it is offered here or after `fetch` has resolved. */
  keptBytes(): Promise<number>
  /**
   * Fetches the file. It resolves when the whole file is here, each chunk verified. Received chunks survive lost links,
   * an abort and a reload, and a later call continues from there. If the owner is away, another member that has the
   * whole file sends it.
   * @throws KeymootError `file-unavailable`, `file-altered`, `storage-full`, `storage-unavailable`, `queue-full`,
   * `aborted`, `closed`
   */
  fetch(options?: FileOptions): Promise<void>
  /** Streams the content, about 1 MB at a time. Fails with `file-unavailable` before the file is fetched. */
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>
  /** Returns the content as a blob. @throws KeymootError `file-unavailable` before the file is fetched */
  blob(): Promise<Blob>
  /** Deletes the file from this device. An owner no longer offers it. */
  remove(): Promise<void>
}

/**
 * Files from member to member, encrypted under a key of their own. Only members that fetch a file get it. Its ticket
 * describes it: send the ticket as a message or put it into a document. Everybody that can read the ticket can fetch
 * the file.
 */
export interface ConferenceFiles {
  /**
   * Offers a file of at most 512 MiB until this member leaves. It reads the file once, for its hashes and for a sealed
   * copy on this device. With the copy the offer survives a reload, as soon as the ticket is opened again. Without room
   * for it (it would take more than half of what is left), or with `localCopy: false`, the offer ends with this page.
   * In Node, `openAsBlob` of `node:fs` returns a file as a blob.
   * @throws KeymootError `too-large`, `invalid-argument` (empty), `file-unavailable` (cannot be read), `aborted`
   */
  offer(content: Blob, options: OfferOptions): Promise<SharedFile>
  /**
   * Decodes a ticket, without a request to anybody. The file's id is bound to `owner`, so never pass a value from the
   * message's content.
   * @param owner the authenticated author of the message that carried the ticket (`message.from.id`)
   * @throws KeymootError `invalid-argument`
   */
  open(ticket: string, owner: MemberId): SharedFile
}
