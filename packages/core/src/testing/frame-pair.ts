/** Frame encryption of two members in one call, with real keys and without a browser's tracks. */
import { sframeSecrets } from "../media/sframe/sframe.ts"
import { keyIdOf, type MediaMember, type MediaView } from "../media/keys/media-view.ts"
import { FrameCipher, type Track } from "../media/worker/frame-cipher.ts"
import { aesGcmUnder } from "../ciphers/aes-gcm.ts"
import { bufferSource } from "../wire/index.ts"

export class FramePair {
  readonly #sender: FrameCipher
  readonly #receiver: FrameCipher
  readonly #track: Omit<Track, "direction">

  private constructor(sender: FrameCipher, receiver: FrameCipher, peer: MediaMember) {
    this.#sender = sender
    this.#receiver = receiver
    this.#track = { source: "camera", peer }
  }

  static async create(): Promise<FramePair> {
    const members = ["a", "b"].map((letter) => ({ member: letter.repeat(32) as MediaMember["member"], incarnation: 1 }))
    const [sender, receiver] = members as [MediaMember, MediaMember]
    const base = members.map(() => crypto.getRandomValues(new Uint8Array(32)))
    const view = { id: "view", epoch: 1, members }
    const [sealing, opening] = await Promise.all([sender, receiver].map((self) => cipherOf(self, view, base)))
    return new FramePair(sealing!, opening!, sender)
  }

  /** @throws Error if the frame is refused */
  async seal(plaintext: Uint8Array): Promise<Uint8Array> {
    return dataOf(await this.#sender.transform({ ...this.#track, direction: "send" }, plaintext, 0))
  }

  /** Opens each frame once. @throws Error if the frame is refused */
  async open(frame: Uint8Array): Promise<Uint8Array> {
    return dataOf(await this.#receiver.transform({ ...this.#track, direction: "receive" }, frame, 0))
  }
}

async function cipherOf(self: MediaMember, view: MediaView, base: readonly Uint8Array[]): Promise<FrameCipher> {
  const keys = base.map(async (baseKey, index) => {
    const keyId = keyIdOf(view, index)
    const { key, salt } = sframeSecrets(baseKey, keyId)
    const imported = await crypto.subtle.importKey("raw", bufferSource(key), "AES-GCM", false, ["encrypt", "decrypt"])
    return { keyId, salt, cipher: aesGcmUnder(imported) }
  })
  const cipher = new FrameCipher(self)
  cipher.step({ type: "view", view })
  cipher.step({ type: "speakers", members: view.members.map(({ member }) => member), removed: [] })
  cipher.step({ type: "keyed", view: view.id, keys: await Promise.all(keys), firstCounter: 0 })
  cipher.step({ type: "secured", view: view.id, nowMs: 0 })
  return cipher
}

function dataOf(result: Awaited<ReturnType<FrameCipher["transform"]>>): Uint8Array {
  if (typeof result === "string") throw new Error(`the frame is refused: ${result}`)
  return result
}
