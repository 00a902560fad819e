/** The way in: decode, verify the origin's signature, and what a CUT or an INSTALL carries likewise. */
import {
  decodeFrame,
  rememberDigest,
  signedBytes,
  type CredentialChecker,
  type Frame,
  type MemberId,
  type ViewId,
} from "@keymoot/transport"
import type { GroupAuthenticator } from "../multicast/index.ts"
import { bufferSource, equalBytes } from "../wire/index.ts"
import type { KnownCredentials } from "./known-credentials.ts"

/** Below, asking takes longer than hashing. */
const DIGESTED_ELSEWHERE_BYTES = 8 * 1024

export type OpenedFrame = { readonly frame: Frame; readonly syncs: readonly Frame[] }
export type FrameRejection = "malformed" | "other-conference" | "unknown-origin" | "bad-signature"

/** In the mode `group`: the key that data of this view are checked with; null for a view that is over, or has no key here. */
export type AuthenticatorOf = (view: ViewId) => GroupAuthenticator | null

export class FrameOpener {
  readonly #conferenceTag: Uint8Array
  readonly #known: KnownCredentials
  readonly #checker: CredentialChecker
  readonly #authenticatorOf: AuthenticatorOf | null

  /** `authenticatorOf`: null where each sender signs its data. */
  constructor(
    conferenceTag: Uint8Array,
    known: KnownCredentials,
    checker: CredentialChecker,
    authenticatorOf: AuthenticatorOf | null = null,
  ) {
    this.#authenticatorOf = authenticatorOf
    this.#conferenceTag = conferenceTag
    this.#known = known
    this.#checker = checker
  }

  /** `too-late`: nobody's fault, and of no use. */
  async open(bytes: Uint8Array): Promise<OpenedFrame | FrameRejection | "too-late"> {
    const frame = await this.#openOne(bytes)
    if (typeof frame === "string") return frame
    const syncs: Frame[] = []
    for (const inner of innerFrames(frame)) {
      const sync = await this.#openOne(inner)
      if (typeof sync === "string") return sync
      if (sync.kind !== "sync") return "malformed"
      syncs.push(sync)
    }
    return { frame, syncs }
  }

  /** A frame of one's own, or one that was opened before. */
  openTrusted(bytes: Uint8Array): OpenedFrame {
    const frame = decodeFrame(bytes)!
    return { frame, syncs: innerFrames(frame).map((inner) => decodeFrame(inner)!) }
  }

  /** The same, with what a large one takes computed elsewhere. */
  async openOwn(bytes: Uint8Array): Promise<Frame> {
    const frame = decodeFrame(bytes)!
    await digestElsewhere(frame)
    return frame
  }

  async #openOne(bytes: Uint8Array): Promise<Frame | FrameRejection | "too-late"> {
    const frame = decodeFrame(bytes)
    if (!frame) return "malformed"
    if (!equalBytes(frame.conferenceTag, this.#conferenceTag)) return "other-conference"
    const publicKey = this.#publicKeyOf(frame.origin)
    if (!publicKey) return "unknown-origin"
    const signed = signedBytes(frame.staticPart)
    const isOfGroup = frame.kind === "data" && this.#authenticatorOf !== null
    const authenticator = isOfGroup ? this.#authenticatorOf!(frame.view) : null
    // Data are sent in a secured view only: everybody in it has the key, and whoever has not is not in it any more.
    if (isOfGroup && !authenticator) return "too-late"
    const [good] = await Promise.all([
      authenticator?.isTag(signed, frame.signature) ?? this.#checker.verify(publicKey, signed, frame.signature),
      digestElsewhere(frame),
    ])
    return good ? frame : "bad-signature"
  }

  #publicKeyOf(member: MemberId): Uint8Array | undefined {
    return this.#known.get(member)?.publicKey
  }
}

/** A large frame is hashed by the browser, on another thread, and not in the middle of a step. */
async function digestElsewhere(frame: Frame): Promise<void> {
  if (frame.staticPart.length < DIGESTED_ELSEWHERE_BYTES) return
  const digest = await crypto.subtle.digest("SHA-256", bufferSource(frame.staticPart))
  rememberDigest(frame, new Uint8Array(digest))
}

function innerFrames(frame: Frame): readonly Uint8Array[] {
  return frame.kind === "cut" || frame.kind === "install" ? frame.message.syncs : []
}
