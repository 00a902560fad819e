/** The way in: decode, verify the origin's signature, and what a CUT or an INSTALL carries likewise. */
import {
  decodeFrame,
  signedBytes,
  type Credential,
  type CredentialChecker,
  type Frame,
  type MemberId,
  type ViewId,
} from "@keymoot/transport"
import type { GroupAuthenticator } from "../multicast/index.ts"
import { equalBytes } from "../wire/index.ts"
import { digestByPlatform } from "./frame-digest.ts"
import type { KnownCredentials } from "./known-credentials.ts"
import { KnownSyncs } from "./known-syncs.ts"

export type OpenedFrame = { readonly frame: Frame; readonly syncs: readonly Frame[] }
export type FrameRejection = "malformed" | "other-conference" | "unknown-origin" | "bad-signature"

/** In the mode `group`: the key that data of this view are checked with; null for a view that is over, or has no key here. */
export type AuthenticatorOf = (view: ViewId) => GroupAuthenticator | null

type Find = (origin: MemberId) => Promise<Credential | null>

export class FrameOpener {
  readonly #conferenceTag: Uint8Array
  readonly #known: KnownCredentials
  readonly #checker: CredentialChecker
  readonly #authenticatorOf: AuthenticatorOf | null
  readonly #knownSyncs = new KnownSyncs()

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

  /**
   * `too-late`: nobody's fault, and of no use. `find`: looks for the certificate of an origin that is not known, in a frame
   * that has come through others.
   */
  async open(bytes: Uint8Array, find: Find | null = null): Promise<OpenedFrame | FrameRejection | "too-late"> {
    const decoded = decodeFrame(bytes)
    if (!decoded) return "malformed"
    // All at once, and not one after another: everybody waits for a view.
    const whole = this.#verify(decoded, find)
    // But strangers are looked for only at the word of somebody who signed for it.
    const findInside: Find | null =
      find && (async (origin) => (typeof (await whole) === "string" ? null : find(origin)))
    const inside = Promise.all(innerFrames(decoded).map((inner) => this.#verify(decodeFrame(inner), findInside)))
    const frame = await whole
    if (typeof frame === "string") return frame
    const syncs: Frame[] = []
    for (const sync of await inside) {
      if (typeof sync === "string") return sync
      if (sync.kind !== "sync") return "malformed"
      syncs.push(sync)
    }
    return { frame, syncs }
  }

  /** Signed or verified here: it is not verified once more where it comes again. */
  trust(frame: Frame): void {
    this.#knownSyncs.add(frame)
  }

  async #verify(frame: Frame | null, find: Find | null): Promise<Frame | FrameRejection | "too-late"> {
    if (!frame) return "malformed"
    if (!equalBytes(frame.conferenceTag, this.#conferenceTag)) return "other-conference"
    const publicKey = this.#known.get(frame.origin)?.publicKey ?? (await find?.(frame.origin))?.publicKey
    if (!publicKey) return "unknown-origin"
    const isOfGroup = frame.kind === "data" && this.#authenticatorOf !== null
    const authenticator = isOfGroup ? this.#authenticatorOf!(frame.view) : null
    // Data are sent in a secured view only: everybody in it has the key, and whoever has not is not in it any more.
    if (isOfGroup && !authenticator) return "too-late"
    const signed = signedBytes(await digestByPlatform(frame))
    if (this.#knownSyncs.has(frame)) return frame
    const good = await (authenticator?.isTag(signed, frame.signature) ??
      this.#checker.verify(publicKey, signed, frame.signature))
    if (!good) return "bad-signature"
    this.trust(frame)
    return frame
  }
}

/** A frame of one's own, or one that was opened before. */
export function openTrusted(frame: Frame): OpenedFrame {
  return { frame, syncs: innerFrames(frame).map((inner) => decodeFrame(inner)!) }
}

function innerFrames(frame: Frame): readonly Uint8Array[] {
  return frame.kind === "cut" || frame.kind === "install" ? frame.message.syncs : []
}
