import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { aesGcm } from "../../src/ciphers/aes-gcm.ts"
import { mediaSecretOf, senderSecrets } from "../../src/media/epochs/media-keys.ts"
import { MEDIA_SOURCES, type MediaView, metadataOf } from "../../src/media/keys/media-view.ts"
import { sealFrame } from "../../src/media/sframe/sframe.ts"
import { fixedBytes } from "./fixed-randomness.ts"
import type { Person } from "./people.ts"
import type { Shown, VectorFile } from "./vector-file.ts"

/** Counters that take one byte more in the header than the one before, and that of a second worker. */
const COUNTERS = [0, 7, 8, 65_536, 2 ** 36]

/** Frames of all senders in views of two members and three. */
export async function mediaFile(people: readonly Person[]): Promise<VectorFile> {
  const views = [
    { epoch: 5, members: people.slice(0, 2) },
    { epoch: 256 + 6, members: people },
  ]
  return {
    name: "media",
    about: "Keys of the senders of a call in two views, and frames of each sender and source",
    see: "Frames of a call",
    vectors: await Promise.all(views.map(({ epoch, members }, place) => viewOf(epoch, members, place))),
  }
}

async function viewOf(epoch: number, people: readonly Person[], place: number): Promise<Shown> {
  const [viewId, epochKey] = [fixedBytes(`view of a call ${place}`), fixedBytes(`epoch key of a call ${place}`)]
  const members = people
    .map(({ member }, index) => ({ member, incarnation: 1 + index }))
    .sort((a, b) => (a.member < b.member ? -1 : 1))
  const view: MediaView = { id: bytesToHex(viewId), epoch, members }
  const mediaSecret = mediaSecretOf(epochKey, view)
  const senders: Shown[] = []
  for (const [index, { member, incarnation }] of members.entries()) {
    const { keyId, key, salt } = senderSecrets(mediaSecret, view, index)
    const cipher = aesGcm.create(key)
    const frames: Shown[] = []
    for (const [i, counter] of COUNTERS.entries()) {
      const source = MEDIA_SOURCES[(i + index) % MEDIA_SOURCES.length]!
      const plaintext = utf8ToBytes(`${source} ${counter}`)
      const frame = await sealFrame({ keyId, salt, cipher }, counter, metadataOf(source), plaintext)
      frames.push({ source, counter, plaintext, frame })
    }
    senders.push({ member, incarnation, keyId, key, salt, frames })
  }
  return { viewId, epoch, epochKey, mediaSecret, senders }
}
