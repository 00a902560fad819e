/** The steps of a member that forwards a packet, with the code of links and frames. */
import { createCredentialChecker, createMemoryStore, loadHopCipher, openIdentity } from "@keymoot/core/testing"
import { decodeFrame, encodeFrame, encodeStaticPart, frameDigest, signedBytes, type ViewId } from "@keymoot/transport"
import { associationKeys, createHop, type Hop } from "@keymoot/transport/testing"
import type { Verifier } from "./schemes.ts"

export const MODES = ["no cache", "credential cache", "bad-credential cache", "hop protection only"] as const
export type Mode = (typeof MODES)[number]
export const STEPS = ["hop opened", "frame decoded", "certificate checked", "signature verified", "hop sealed"] as const
export type Step = (typeof STEPS)[number]

const MESSAGE_BYTES = 1024

/** The former hop's end, and this member's two. */
type Hops = { readonly sender: Hop; readonly from: Hop; readonly to: Hop }

export class Relay {
  /** Milliseconds spent, while `breakDown` is set. */
  readonly spentMs = new Map<Step, number>()
  breakDown = false
  readonly #frame: Uint8Array
  readonly #certificate: Uint8Array
  readonly #badCertificate: Uint8Array
  readonly #hops: Hops
  readonly #checker = createCredentialChecker()

  private constructor(frame: Uint8Array, certificate: Uint8Array, hops: Hops) {
    this.#frame = frame
    this.#certificate = certificate
    this.#badCertificate = certificate.slice()
    this.#badCertificate[certificate.length - 1]! ^= 1
    this.#hops = hops
  }

  /** Stands between a sender and the next hop. The packet is a frame of 1 KB, signed by its origin. */
  static async create(): Promise<Relay> {
    const { member, certificate, signer } = await openIdentity({ name: "Origin", store: createMemoryStore() })
    const staticPart = encodeStaticPart({
      conferenceTag: new Uint8Array(32),
      view: "11".repeat(32) as ViewId,
      origin: member,
      service: "agreed",
      sequence: 1,
      kind: "data",
      message: { dependencies: [], body: crypto.getRandomValues(new Uint8Array(MESSAGE_BYTES)) },
    })
    const frame = encodeFrame(staticPart, await signer.sign(signedBytes(frameDigest({ staticPart }))))
    const cipher = await loadHopCipher()
    const keys = (secret: number) => associationKeys(new Uint8Array(32).fill(secret), new Uint8Array(32)).hop
    return new Relay(frame, certificate, {
      sender: createHop(keys(1), "initiator", cipher),
      from: createHop(keys(1), "responder", cipher),
      to: createHop(keys(2), "initiator", cipher),
    })
  }

  /** The bytes that the packet's signature is of. */
  signedBytes(): Uint8Array<ArrayBuffer> {
    return signedBytes(frameDigest(decodeFrame(this.#frame)!)).slice()
  }

  /** Sealed as they come from the former hop, which is not this member's work. */
  packets(count: number): Uint8Array[] {
    return Array.from({ length: count }, () => this.#hops.sender.sealer.seal(this.#frame))
  }

  /**
   * Returns the packet for the next hop, or null if it is dropped. Packets must come in the order of their creation.
   * `verify`: another scheme in place of the packet's signature.
   */
  async pass(packet: Uint8Array, mode: Mode, verify?: Verifier["verify"]): Promise<Uint8Array | null> {
    const plain = this.#timed("hop opened", () => this.#hops.from.opener.open(packet))
    if ("refused" in plain) throw new Error(plain.refused)
    if (mode !== "hop protection only" && !(await this.#isGood(plain, mode, verify))) return null
    return this.#timed("hop sealed", () => this.#hops.to.sealer.seal(plain))
  }

  async #isGood(plain: Uint8Array, mode: Mode, verify?: Verifier["verify"]): Promise<boolean> {
    const frame = this.#timed("frame decoded", () => decodeFrame(plain))
    if (!frame) return false
    const checker = mode === "no cache" ? createCredentialChecker() : this.#checker
    const certificate = mode === "bad-credential cache" ? this.#badCertificate : this.#certificate
    const credential = await this.#timedLater("certificate checked", () => checker.check(certificate))
    if (!credential) return false
    if (verify) return verify()
    return this.#timedLater("signature verified", () =>
      checker.verify(credential.publicKey, signedBytes(frameDigest(frame)), frame.signature),
    )
  }

  #timed<T>(step: Step, act: () => T): T {
    if (!this.breakDown) return act()
    const startMs = performance.now()
    const result = act()
    this.#spent(step, startMs)
    return result
  }

  async #timedLater<T>(step: Step, act: () => Promise<T>): Promise<T> {
    if (!this.breakDown) return act()
    const startMs = performance.now()
    const result = await act()
    this.#spent(step, startMs)
    return result
  }

  #spent(step: Step, startMs: number): void {
    this.spentMs.set(step, (this.spentMs.get(step) ?? 0) + performance.now() - startMs)
  }
}
