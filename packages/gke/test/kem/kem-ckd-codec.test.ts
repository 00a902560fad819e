import { expect, test } from "vitest"
import { KEM_PUBLIC_KEY_BYTES, loadKem } from "@keymoot/gke"
import { decodeKemMessage, encodeKemMessage } from "../../src/kem-ckd/kem-ckd-codec.ts"

const kem = await loadKem()

test("refuses a late key that is not reduced", () => {
  const { publicKey } = kem.keyPair(new Uint8Array(64))
  const message = encodeKemMessage({ type: "key", publicKey })
  expect(decodeKemMessage(message)).toEqual({ type: "key", publicKey })
  const head = message.length - KEM_PUBLIC_KEY_BYTES
  expect(decodeKemMessage(Uint8Array.of(...message).fill(0xff, head, head + 3))).toBeNull()
})
