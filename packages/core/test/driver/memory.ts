/** Looks for secrets in all that a program can reach: the buffer of every `Uint8Array` that is left after a garbage collection. */
import { Session } from "node:inspector/promises"
import type { PrimeOrderGroup } from "@keymoot/gke"

/** Masks the records of `wiped`, so that a search finds no secret in them. */
export const MASK = 0x5a

export type Wiped = { readonly secrets: ReadonlySet<string>; readonly stop: () => void }

/** Notes each 32-byte buffer that is overwritten with zeros from now on, as it was: the secrets that the program is done with. */
export function noteWiped(): Wiped {
  const secrets = new Set<string>()
  const everyArray: Pick<Uint8Array, "fill"> = Uint8Array.prototype
  const { fill } = everyArray
  everyArray.fill = function (this: Uint8Array, value: number, ...range: number[]) {
    const isSecret = value === 0 && this.length === 32 && this.some((byte) => byte !== 0)
    if (isSecret) secrets.add(masked(this))
    return fill.call(this, value, ...range)
  } as typeof fill
  return { secrets, stop: () => void (everyArray.fill = fill) }
}

/** The same group, noting every secret that a member of a key tree computes: scalars, and products that only members can make. */
export function notingGroup(group: PrimeOrderGroup, secrets: Set<string>): PrimeOrderGroup {
  const note = <T>(secret: T): T => {
    if (secret instanceof Uint8Array) secrets.add(masked(secret))
    return secret
  }
  return {
    ...group,
    randomScalar: (random) => note(group.randomScalar(random)),
    hashToScalar: (domain, e) => note(group.hashToScalar(domain, e)),
    multiply: (e, s) => note(group.multiply(e, s)),
    multiplyEncoded: (e, s) => note(group.multiplyEncoded(e, s)),
  }
}

/** Reverses `masked`. */
export function unmasked(note: string): Uint8Array {
  return Uint8Array.from(note.match(/../gu) ?? [], (byte) => Number.parseInt(byte, 16) ^ MASK)
}

export function masked(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => (byte ^ MASK).toString(16).padStart(2, "0")).join("")
}

/** Runs where the buffers are. @returns of each secret that some buffer holds: how large those are */
export function findSecrets(buffers: Iterable<ArrayBufferLike>, secrets: readonly string[], mask: number): string[] {
  const byHead = new Map<number, Uint8Array[]>()
  for (const secret of secrets) {
    const bytes = Uint8Array.from(secret.match(/../gu)!, (hex) => Number.parseInt(hex, 16))
    // Masked as it is: each window is masked to be compared, and no secret comes about in memory here.
    const head = (bytes[0]! << 16) | (bytes[1]! << 8) | bytes[2]!
    byHead.set(head, [...(byHead.get(head) ?? []), bytes])
  }
  const found: string[] = []
  for (const buffer of buffers) {
    const bytes = new Uint8Array(buffer)
    for (let at = 0; at + 32 <= bytes.length; at++) {
      const head = ((bytes[at]! ^ mask) << 16) | ((bytes[at + 1]! ^ mask) << 8) | (bytes[at + 2]! ^ mask)
      for (const secret of byHead.get(head) ?? []) {
        if (secret.every((byte, i) => (bytes[at + i]! ^ mask) === byte)) found.push(`at ${at} of ${bytes.length} bytes`)
      }
    }
  }
  return found
}

/** Places where the (masked) secrets still are. */
export async function whereHeld(secrets: Iterable<string>): Promise<string[]> {
  const session = new Session()
  session.connect()
  try {
    await session.post("HeapProfiler.collectGarbage")
    // Not the buffers themselves: that of a small array may not be an object yet.
    const { result } = await session.post("Runtime.evaluate", { expression: "Uint8Array.prototype" })
    const { objects } = await session.post("Runtime.queryObjects", { prototypeObjectId: result.objectId! })
    const found = await session.post("Runtime.callFunctionOn", {
      objectId: objects.objectId!,
      functionDeclaration: `function (secrets, mask) { return (${findSecrets.toString()})(new Set(this.flatMap((each) => (ArrayBuffer.isView(each) ? each.buffer : []))), secrets, mask) }`,
      arguments: [{ value: [...secrets] }, { value: MASK }],
      returnByValue: true,
    })
    if (found.exceptionDetails) throw new Error(found.exceptionDetails.exception?.description)
    return found.result.value as string[]
  } finally {
    session.disconnect()
  }
}
