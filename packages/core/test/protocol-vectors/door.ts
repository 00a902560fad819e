import { nobleX25519 as x25519 } from "../../../gke/src/hpke/noble-x25519.ts"
import { encodeNotice, type Notice } from "../../src/admission/statements/notice.ts"
import {
  outsideBody,
  type OutsideBody,
  outsideSecretOf,
  outsideSigningBytes,
  sealOutside,
} from "../../src/outside/outside-codec.ts"
import { fixedBytes } from "./fixed-randomness.ts"
import type { Person } from "./people.ts"
import type { Shown, VectorFile } from "./vector-file.ts"

/** A waiting person and a host write to each other. */
export async function doorFile([host, guest]: readonly [Person, Person]): Promise<VectorFile> {
  const scope = { conferenceId: fixedBytes("conference", 16), descriptorHash: fixedBytes("descriptor") }
  const [epochKey, viewId, replySecret] = [fixedBytes("epoch key"), fixedBytes("view"), fixedBytes("reply secret")]
  const outsideSecret = outsideSecretOf(epochKey, viewId)
  const [outsideKey, replyKey] = [x25519.publicKey(outsideSecret), x25519.publicKey(replySecret)]
  const sealed = async (direction: "message" | "answer", by: Person, number: number, text: string): Promise<Shown> => {
    const [key, body]: [Uint8Array, OutsideBody] = [
      direction === "message" ? outsideKey : replyKey,
      { number, replyKey, text },
    ]
    const signature = await by.signer.sign(outsideSigningBytes(direction, scope, key, body))
    const ephemeralSecret = fixedBytes(`ephemeral secret of ${direction} ${number}`)
    const parts = { key, body, signature, ephemeralSecret: ephemeralSecret.slice() }
    const type = direction === "message" ? "outsideMessage" : "outsideAnswer"
    const notice: Notice = { type, sealed: sealOutside(x25519, direction, scope, parts)! }
    const plaintext = outsideBody.encode({ ...body, signature })
    return { direction, number, text, ephemeralSecret, plaintext, bytes: encodeNotice(notice) }
  }
  return {
    name: "door",
    about: "A waiting person and a host write to each other: a message that only says where to answer, two texts",
    see: "Messages outside the group",
    vectors: [
      {
        ...scope,
        epochKey,
        viewId,
        host: host.publicKey,
        guest: guest.publicKey,
        outsideSecret,
        replySecret,
        keyNotice: encodeNotice({ type: "outsideKey", key: outsideKey }),
        messages: [
          await sealed("message", guest, 1, ""),
          await sealed("message", guest, 2, "It is me,\nAda ✓"),
          await sealed("answer", host, 1, "Come in"),
        ],
      },
    ],
  }
}
