/** Frames: signs own ones; decodes others' and verifies their signatures, inside a CUT or an INSTALL too. */
import {
  decodeFrame,
  draftFrame,
  frameDigest,
  rememberDigest,
  signedBytes,
  type Credential,
  type CredentialChecker,
  type Frame,
  type FramePayload,
  type MemberId,
  type ViewId,
} from "@keymoot/transport"
import { bytesToHex } from "@noble/hashes/utils.js"
import type { MemberCredential } from "../identity/certificates/credential-checker.ts"
import { nodeCrypto } from "../platform/node-crypto.ts"
import { bufferSource, equalBytes, LruMap } from "../wire/index.ts"

/** Cache size of members of one conference (LRU). */
export const CREDENTIALS_KNOWN_MAX = 512
/** Certificates of members: linked ones, and former ones whose messages may still be around. */
export type KnownCredentials = LruMap<MemberId, MemberCredential>

/** Cache size: the SYNCs of two views of the largest conference. An evicted one is verified again. */
export const SYNCS_KNOWN_MAX = 256

export type OpenedFrame = { readonly frame: Frame; readonly syncs: readonly Frame[] }
export type FrameRejection = "malformed" | "other-conference" | "unknown-origin" | "bad-signature"

/** In mode `group`: the key that authenticates data of this view; null for a view that is over or has no key here. */
export type AuthenticatorOf = (view: ViewId) => GroupAuthenticator | null

type Find = (origin: MemberId) => Promise<Credential | null>

/** Charges the neighbour for the checks that the inside of its message costs, before they are made. */
export type Charge = (checks: number) => void

export class FrameOpener {
  readonly #conferenceTag: Uint8Array
  readonly #known: KnownCredentials
  readonly #checker: CredentialChecker
  readonly #authenticatorOf: AuthenticatorOf | null
  /**
   * Signatures of SYNCs that were made or verified here, by digest. A CUT contains them, and the INSTALL after it
   * contains them again, with this member's own. The digest covers the origin.
   */
  readonly #knownSyncs = new LruMap<string, Uint8Array>(SYNCS_KNOWN_MAX)

  /** `authenticatorOf` is null if each sender signs its data. */
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
   * `too-late`: useless, and nobody's fault. `find` looks up the certificate of an unknown origin, for a forwarded
   * frame.
   */
  async open(
    bytes: Uint8Array,
    charge: Charge,
    find: Find | null = null,
  ): Promise<OpenedFrame | FrameRejection | "too-late"> {
    const decoded = decodeFrame(bytes)
    if (!decoded) return "malformed"
    charge(checksInside(decoded))
    // Verifies concurrently, because all members wait for the view.
    const whole = this.#verify(decoded, find)
    // Unknown origins inside are looked up only after the outer signature is verified.
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

  /** Marks a SYNC as signed or verified here, so that a repetition is not verified again. Ignores other kinds. */
  trust(frame: Frame): void {
    // Copied, because the signature would keep its whole message in memory.
    if (frame.kind === "sync") this.#knownSyncs.set(bytesToHex(frameDigest(frame)), frame.signature.slice())
  }

  #isTrusted(frame: Frame): boolean {
    const known = frame.kind === "sync" ? this.#knownSyncs.get(bytesToHex(frameDigest(frame))) : undefined
    return known !== undefined && equalBytes(known, frame.signature)
  }

  async #verify(frame: Frame | null, find: Find | null): Promise<Frame | FrameRejection | "too-late"> {
    if (!frame) return "malformed"
    if (!equalBytes(frame.conferenceTag, this.#conferenceTag)) return "other-conference"
    const publicKey = this.#known.get(frame.origin)?.publicKey ?? (await find?.(frame.origin))?.publicKey
    if (!publicKey) return "unknown-origin"
    const isOfGroup = frame.kind === "data" && this.#authenticatorOf !== null
    const authenticator = isOfGroup ? this.#authenticatorOf!(frame.view) : null
    // Data is sent only in a secured view, in which every member has the key. A member without the key is no longer in
    // the view.
    if (isOfGroup && !authenticator) return "too-late"
    const signed = signedBytes(await digestByPlatform(frame))
    if (this.#isTrusted(frame)) return frame
    const good = await (authenticator?.isTag(signed, frame.signature) ??
      this.#checker.verify(publicKey, signed, frame.signature))
    if (!good) return "bad-signature"
    this.trust(frame)
    return frame
  }
}

/** `sign` computes the signature, or the bytes in its place. */
export async function signFrame(
  header: Omit<Parameters<typeof draftFrame>[0], keyof FramePayload>,
  payload: FramePayload,
  sign: (bytes: Uint8Array) => Promise<Uint8Array>,
): Promise<Frame> {
  const draft = draftFrame({ ...header, ...payload })
  const digest = await digestByPlatform(draft)
  const frame = draft.sign(await sign(signedBytes(digest)))
  rememberDigest(frame, digest)
  return frame
}

/** Opens an own frame, or one that was opened before. */
export function openTrusted(frame: Frame): OpenedFrame {
  return { frame, syncs: innerFrames(frame).map((inner) => decodeFrame(inner)!) }
}

function innerFrames(frame: Frame): readonly Uint8Array[] {
  return frame.kind === "cut" || frame.kind === "install" ? frame.message.syncs : []
}

/**
 * Bytes of a statement of majority that cost its reader a check. A proposal has 162 for each owner, and a multiplication
 * checks them.
 */
const STATEMENT_BYTES_OF_CHECK = 128

function checksInside(frame: Frame): number {
  if (frame.kind !== "roster") return innerFrames(frame).length
  return frame.message.bodies.reduce((sum, { length }) => sum + 1 + Math.floor(length / STATEMENT_BYTES_OF_CHECK), 0)
}

/** Below this size the call takes longer than the hash. */
const DIGESTED_BY_PLATFORM_BYTES = 8 * 1024

const node = nodeCrypto()

/**
 * Computes `frameDigest`, for a large frame by the platform: a browser does it on another thread. Node does it
 * synchronously, because its asynchronous form would copy the frame.
 */
async function digestByPlatform(frame: { readonly staticPart: Uint8Array }): Promise<Uint8Array> {
  const { staticPart } = frame
  if (staticPart.length < DIGESTED_BY_PLATFORM_BYTES) return frameDigest(frame)
  const digest = node
    ? node.createHash("sha256").update(staticPart).digest()
    : await crypto.subtle.digest("SHA-256", bufferSource(staticPart))
  const bytes = new Uint8Array(digest)
  rememberDigest(frame, bytes)
  return bytes
}

const ALGORITHM = { name: "HMAC", hash: "SHA-512" } as const
/** Length of key and tag. The tag has the length of the signature that it replaces. */
export const GROUP_TAG_BYTES = 64

/**
 * Authenticates frames in the mode `group`, in place of the sender's signature. A tag proves that some member of the
 * view made the frame.
 */
export class GroupAuthenticator {
  readonly #key: Promise<CryptoKey>

  /** @param key 64 bytes, of one view. Overwritten. */
  constructor(key: Uint8Array) {
    // WebCrypto copies its input before it returns the promise.
    this.#key = crypto.subtle.importKey("raw", bufferSource(key), ALGORITHM, false, ["sign", "verify"])
    key.fill(0)
  }

  async tag(bytes: Uint8Array): Promise<Uint8Array> {
    return new Uint8Array(await crypto.subtle.sign(ALGORITHM, await this.#key, bufferSource(bytes)))
  }

  async isTag(bytes: Uint8Array, tag: Uint8Array): Promise<boolean> {
    return crypto.subtle.verify(ALGORITHM, await this.#key, bufferSource(tag), bufferSource(bytes))
  }
}
